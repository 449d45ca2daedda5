/** Whether a day has come. Only that is told by the clock here: no draw depends on it. */

/**
 * @param {string} day such as 2027-03-01; days begin as on the server, in universal time
 */
export function hasCome(day) {
  return new Date().toISOString().slice(0, day.length) >= day;
}

/**
 * Return a day in words, such as "1 March 2027".
 * @param {string} day
 * @param {string} language
 */
export function dayInWords(day, language) {
  const format = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };
  // The day before the month in English, too, and the same digits as everywhere else.
  const locale = `${language === "en" ? "en-GB" : language}-u-nu-latn`;
  return new Intl.DateTimeFormat(locale, format).format(new Date(day));
}
