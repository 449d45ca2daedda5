# Unbiased scores of single reports: their mean over many reports is a share, or a mean.

design_of <- function(id) {
  if (!id %in% design$question)
    stop("there is no question ", id, "; codebook.csv lists them", call. = FALSE)
  design[id, ]
}

is_number <- function(d) d$mechanism %in% c("rt", "isw")

labels_of <- function(id) codebook$label[codebook$question == id]

# Of a number: its score in the unit of the question, for each report.
number_score <- function(d, cells) {
  if (d$mechanism == "isw") return(mean_score(d, cells))
  ch <- channel(d)
  values <- integers(cells)
  values[lengths(values) != 2] <- list(c(NA, NA))
  t <- vapply(values, `[`, 0, 1)
  bit <- vapply(values, `[`, 0, 2)
  d$lo + d$step * (d$top / 2 + d$top * (debias(bit, ch) - (d$top + 1 - t) / (d$top + 1)))
}

# A row per report and a column per option; for a number one column. NA: not asked. Every distinct
# report is looked at once.
per_report <- function(id, figure) {
  cells <- reports[[id]]
  distinct <- unique(cells)
  matrix(unlist(figure(distinct)), length(distinct))[match(cells, distinct), , drop = FALSE]
}

supports_of <- function(id) {
  d <- design_of(id)
  options <- seq_len(option_count(d)) - 1
  per_report(id, function(cells) lapply(options, function(option) supports(d, cells, option)))
}

# scores_of("smokes") holds the same numbers as the columns smokes__0, smokes__1 of scores.csv.
scores_of <- function(id) {
  d <- design_of(id)
  if (is_number(d)) per_report(id, function(cells) number_score(d, cells))
  else debias(supports_of(id), channel(d))
}

pseudo_inverse <- function(matrix) {
  parts <- eigen(matrix, symmetric = TRUE)
  used <- parts$values > 1e-9 * max(parts$values, 0)
  vectors <- parts$vectors[, used, drop = FALSE]
  list(inverse = vectors %*% (t(vectors) / parts$values[used]), rank = sum(used))
}

chi_square_test <- function(chi_square, df) data.frame(
  chi_square = chi_square, df = df,
  p_value = if (df > 0) pchisq(chi_square, df, lower.tail = FALSE) else NA)

# A list of tables, printed one below the other.
tables <- function(...) structure(Filter(Negate(is.null), list(...)), class = "tables")

print.tables <- function(x, ...) {
  for (name in names(x)) {
    cat(gsub("_", " ", name), "\n", sep = "")
    if (is.data.frame(x[[name]])) print(x[[name]], digits = 4, row.names = FALSE, width = 100)
    else cat(format(x[[name]], digits = 10), "\n")
    cat("\n")
  }
  invisible(x)
}
