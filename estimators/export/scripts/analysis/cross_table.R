# Two questions of the same people. Their randomizers draw independently of each other, so the
# product of a report's two unbiased scores is unbiased for both answers together.

# cross("smokes", "fruit") gives the share of every combination, the share of each answer to the
# second question among those who gave an answer to the first, and tests independence.
# cross("smokes", "drinks") gives the mean of a number for each answer.
# cross("illness:Asthma", "fruit") asks about one box or option, yes or no; so two boxes of one
# question can be crossed, if its reports tell both. cross("both") is for a question of the kind
# cross. Only `candor cross` cuts a number into classes.
cross <- function(first, second = NULL) {
  if (is.null(second)) return(own_table(first))
  one <- side_of(first)
  other <- side_of(second)
  if (one$kind == "number") { swapped <- one; one <- other; other <- swapped }
  if (one$kind == "number")
    stop(first, " and ", second, " are both numbers: cross one of them with a question that has ",
         "options. Only `candor cross` cuts a number into classes", call. = FALSE)
  check_cells(ncol(one$scores), ncol(other$scores))
  if (one$id == other$id) return(two_boxes(one, other))
  pairs_table(one, other)
}

# The scores of a question, or of one of its options or boxes: no and yes.
side_of <- function(name) {
  id <- if (name %in% design$question) name else sub(":.*", "", name)
  d <- design_of(id)
  boxes <- d$mechanism %in% c("smp", "privset")
  # Of a number that can be declined: the number, 0 for silence, and whether there is one.
  scores <- if (is_number(d) && has_silence(d)) silent_scores(d, reports[[id]]) else scores_of(id)
  side <- list(name = name, id = id, labels = labels_of(id), scores = scores, chosen = NA,
               kind = if (is_number(d)) "number" else if (boxes) "boxes" else "options")
  if (name == id) return(side)
  part <- sub("^[^:]*:", "", name)
  if (side$kind == "number")
    stop(id, " is a number: only `candor cross` cuts it into classes", call. = FALSE)
  side$chosen <- match(part, side$labels)
  if (is.na(side$chosen)) stop(id, " has no option ", part, "; it has ",
                               paste(side$labels, collapse = ", "), call. = FALSE)
  ticked <- side$scores[, side$chosen]
  side$scores <- cbind(1 - ticked, ticked)
  side$labels <- c(paste("not", part), part)
  side$kind <- "options"
  side
}

check_cells <- function(rows, columns) if (rows * columns > 1024)
  stop("these questions have ", rows * columns, " combinations; cross() takes up to 1,024, ",
       "joint_share() any one of them", call. = FALSE)

# The reports that say something about both sides.
together_of <- function(one, other) {
  says <- function(side) rowSums(!is.na(side$scores)) > 0
  both <- says(one) & says(other)
  if (sum(both) < 2) stop("fewer than two reports are about both ", one$name, " and ", other$name,
                          call. = FALSE)
  list(a = one$scores[both, , drop = FALSE], b = other$scores[both, , drop = FALSE])
}

pairs_table <- function(one, other) {
  scores <- together_of(one, other)
  a <- scores$a
  b <- scores$b
  is_number <- other$kind == "number"
  supported <- function(s) { s[is.na(s)] <- 0; s > 0 }
  seen <- if (is_number) !is.na(b[, 1]) else supported(b)
  note <- few_note(min(crossprod(supported(a), seen)))
  if (is_number) {
    found <- score_cells(a, b[, 1, drop = FALSE], if (ncol(b) > 1) b[, 2] else 1)
    means <- data.frame(one$labels, n = found$n, mean = found$row_share, low = found$row_low,
                        high = found$row_high)
    names(means)[1] <- one$name
    return(tables(means = means, independence = independence(a, b), note = note))
  }
  if (one$kind == "boxes" || other$kind == "boxes")
    return(tables(cells = labelled(one, other, score_cells(a, b)),
                  independence = independence(a, b), note = note))
  joint <- joint_of_pairs(a, b)
  tables(cells = labelled(one, other, joint_cells(joint)), independence = independence(a, b),
         association = association(joint), note = note)
}

# Two boxes of one question: from the reports about both, or from sets of at least two items.
two_boxes <- function(one, other) {
  d <- design_of(one$id)
  if (!d$mechanism %in% c("smp", "privset") || is.na(one$chosen) || is.na(other$chosen) ||
      one$chosen == other$chosen)
    stop("cross() needs two different questions, or two boxes of one", call. = FALSE)
  if ((if (d$mechanism == "smp") d$asked else d$size) < 2)
    stop("each report is about one box of ", one$id, ": how many tick two of them cannot be told",
         call. = FALSE)
  if (d$mechanism == "smp") return(pairs_table(one, other))
  scores <- together_of(one, other)
  y <- supports_of(one$id)[reports[[one$id]] != "null", c(one$chosen, other$chosen)]
  held <- y[, 1] * y[, 2]
  chance <- pair_chances(d)
  u <- scores$a[, 2]
  v <- scores$b[, 2]
  both <- (held - chance$silent) / (chance$silent - chance$told) + u + v
  joint <- joint_of(length(u), 2, 2, function(at) cbind(
    1 - u - v + both, v - both, u - both, both, 1 - u, u, 1 - v, v)[at, , drop = FALSE])
  slope <- excess_slope(joint)[4, ]
  excess <- joint$cells[2, 2] - joint$rows[2] * joint$columns[2]
  tables(cells = labelled(one, other, joint_cells(joint)), association = association(joint),
         independence = chi_square_test(excess^2 / variance_of(joint, slope), 1),
         note = few_note(sum(held)))
}

few_note <- function(count) if (count < 5)
  "Fewer than 5 reports support some cell: errors and test hold only roughly."

# Every combination: its share, and its part of those who gave the first answer, and any answer to
# the second question. Each comes from the reports that are about both.
score_cells <- function(a, b, given = 1) {
  figures <- table_of(seq_len(ncol(a)), seq_len(ncol(b)), function(u, w) {
    product <- a[, u] * b[, w]
    seen <- !is.na(product)
    n <- sum(seen)
    if (n < 2) return(c(n, NA, NA, NA, NA, NA))
    base <- a[, u] * given
    pair <- cov(cbind(product, base)[seen, ]) / n
    c(n, mean(product[seen]), pair[1, 1], mean(base[seen]), pair[2, 2], pair[1, 2])
  })
  cell_rows(figures[, 1], figures[, 2], figures[, 3], figures[, 4], figures[, 5], figures[, 6])
}

joint_cells <- function(joint) {
  spread <- joint$covariance
  cell <- seq_along(joint$cells)
  u <- rep(seq_along(joint$rows), each = length(joint$columns))
  row <- length(cell) + u
  cell_rows(joint$n, c(t(joint$cells)), diag(spread)[cell], joint$rows[u], diag(spread)[row],
            spread[cbind(cell, row)])
}

# The part value/row has Fieller's interval. If the row may be empty, the set has no end and there
# is no number; nor if reports are all alike, which show no error and have one.
cell_rows <- function(n, value, variance, row, row_variance, both) {
  error <- sqrt(pmax(variance, 0))
  bend <- row^2 - z^2 * row_variance
  middle <- value * row - z^2 * both
  known <- bend > 0 & row > 0 & variance > 1e-12 * value^2
  half <- sqrt(pmax(middle^2 - bend * (value^2 - z^2 * variance), 0))
  if_known <- function(figure) ifelse(known, figure, NA)
  data.frame(n = n, share = value, standard_error = error, low = value - z * error,
             high = value + z * error, row_share = if_known(value / row),
             row_low = if_known((middle - half) / bend),
             row_high = if_known((middle + half) / bend))
}

# The labels of all combinations, row by row, beside their figures.
labelled <- function(one, other, figures) {
  count <- c(length(one$labels), length(other$labels))
  labels <- data.frame(rep(one$labels, each = count[2]), rep(other$labels, count[1]))
  names(labels) <- c(one$name, other$name)
  cbind(labels, figures)
}
