# A mean of those who answered, where people can be silent, and the options for silence. Variances
# come in threes: of a sum, of the share who answered, and their covariance.

has_silence <- function(d) !is.na(d$silent)

# The scores whose expectations are the true level, its square and "answered"; 0 for silence.
silent_window <- function(d) {
  near <- d$width + 1
  far <- d$top + d$silent * near
  own <- d$top + near
  away <- (1 - keep_of(d)) / far
  slope <- keep_of(d) - away * near
  middles <- seq_len(own) - 1 - d$width / 2
  spread <- d$width * (d$width + 2) / 12
  unbiased <- function(figures) (c(figures, rep(0, near + far - own)) - away * sum(figures)) / slope
  line <- away * sum(middles); one <- away * own; square <- away * sum(middles^2)
  noise <- function(m) c(
    square - line^2 + slope * (m[3] + spread * m[1]) - 2 * line * slope * m[2] - slope^2 * m[3],
    one - one^2 + slope * m[1] * (1 - 2 * one - slope),
    line - line * one + slope * (m[2] * (1 - one - slope) - line * m[1])) / slope^2
  list(level = unbiased(middles), given = unbiased(rep(1, own)),
       square = unbiased(middles^2 - spread), noise = noise)
}

possible_moments <- function(d, m) {
  share <- min(max(m[1], 0), 1)
  level <- min(max(m[2], 0), share * d$top)
  c(share, level, min(max(m[3], if (share > 0) level^2 / share else 0), level * d$top))
}

pair_variances <- function(part, base, counts) {
  n <- sum(counts)
  if (n == 1) return(c(diff(range(part))^2 / 4, diff(range(base))^2 / 4, 0))
  a <- part - sum(counts * part) / n
  b <- base - sum(counts * base) / n
  c(sum(counts * a^2), sum(counts * b^2), sum(counts * a * b)) / (n * (n - 1))
}

scaled_pair <- function(v, step, lo) c(step^2 * v[1] + 2 * step * lo * v[3] + lo^2 * v[2], v[2],
                                       step * v[3] + lo * v[2])

allowed_pair <- function(v) {
  part <- max(v[1], 0); base <- max(v[2], 0); most <- sqrt(part * base)
  c(part, base, min(max(v[3], -most), most))
}

of_ratio <- function(v, ratio) v[1] - 2 * ratio * v[3] + ratio^2 * v[2]

# All r with |part - r base| at most z errors; NA if this set has no ends.
fieller_ends <- function(part, base, v, z) {
  bend <- base^2 - z^2 * v[2]
  middle <- part * base - z^2 * v[3]
  if (bend <= 0 || base <= 0 || v[1] <= 1e-12 * part^2) return(c(NA, NA))
  half <- sqrt(max(middle^2 - bend * (part^2 - z^2 * v[1]), 0))
  (middle + c(-1, 1) * half) / bend
}

answered_row <- function(quantity, n, part, base, noise, sampling, least, known) {
  summed <- c(part, noise[1], sampling[1], sqrt(least[1]))
  value <- if (known) part / base else NA
  figures <- vapply(list(noise, sampling, least), of_ratio, 0, ratio = value) / base^2
  row <- if (known) score_row(quantity, n, value, figures[1], figures[2], sqrt(figures[3]), summed)
         else score_row(quantity, n, NA, NA, 0, NA, summed)
  row[c("low", "high")] <- if (known)
    as.list(fieller_ends(part, base, least + allowed_pair(sampling), z)) else NA
  if (!known) row[c("sampling_variance", "sampling_error", "standard_error")] <- NA
  row
}

is_answered <- function(base, least, sampling)
  base - z * sqrt(least[2] + max(sampling[2], 0)) > 0

# The rows of the mean, of silence and of the net promoters; whether some clearly answered.
answered_rows <- function(d, cells, counts) {
  n <- sum(counts)
  w <- silent_window(d)
  m <- vapply(w[c("given", "level", "square")], function(s) sum(counts * s) / n, 0)
  noise <- w$noise(unname(m)) / n
  least <- w$noise(possible_moments(d, unname(m))) / n
  sampling <- pair_variances(w$level, w$given, counts) - noise
  base <- unname(m[1])
  known <- is_answered(base, least, sampling)
  own <- function(v) scaled_pair(v, d$step, d$lo)
  mean <- answered_row("mean", n, d$lo * base + d$step * unname(m[2]), base, own(noise),
                       own(sampling), own(least), known)
  silent <- share_table(d, cells)
  silent$quantity <- "silent"
  silent$option <- silent$option + d$top + 1
  promoters <- if (known && d$top == 10 && d$lo == 0 && d$step == 1) promoters_row(d, counts, w)
  list(rows = Filter(Negate(is.null), list(mean, silent, promoters)), known = known)
}

promoters_row <- function(d, counts, w) {
  n <- sum(counts)
  target <- net_promoters(0:10)
  m <- transition(d)
  weighted <- m / rowMeans(m)
  best <- t(solve(t(m) %*% weighted, t(weighted)))[, 1:11]
  scores <- drop(best %*% target)
  part <- sum(counts * scores) / n
  base <- sum(counts * w$given) / n
  square <- sum(counts * drop(best %*% target^2)) / n
  whole <- allowed_pair(pair_variances(scores, w$given, counts))
  truth <- c(square - part^2, base - base^2, part - part * base) + whole
  noise <- whole - truth / n
  share <- min(max(base, 0), 1)
  kept <- max(whole[1] - min(max(truth[1] / n, 0), share / n), 0)
  least <- allowed_pair(c(kept, w$noise(c(share, 0, 0))[2] / n, noise[3]))
  answered_row("net_promoters", n, part, base, noise, whole - noise, least, TRUE)
}

# Scores whose mean in each group is that of those who answered, with the spread of its linear form.
answered_scores <- function(d, cells, groups) {
  scores <- silent_scores(d, cells)
  number <- scores[, 1]
  given <- scores[, 2]
  share <- ave(given, groups)
  if (any(share <= 0)) stop("in some group nobody seems to have answered", call. = FALSE)
  ratio <- ave(number, groups) / share
  ratio + (number - ratio * given) / share
}

# For each report the scores of the number, 0 for silence, and of "answered"; NA: not asked.
silent_scores <- function(d, cells) {
  w <- silent_window(d)
  at <- suppressWarnings(as.numeric(cells)) + 1
  cbind((d$lo * w$given + d$step * w$level)[at], w$given[at])
}
