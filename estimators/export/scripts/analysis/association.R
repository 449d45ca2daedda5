# The shares of a table as a whole: how they vary together, association, and independence.

# A joint table has the cells, row by row, the margins of rows and columns, and the covariance of
# all of them. `products` gives these scores for some of the n reports.
joint_of <- function(n, rows, columns, products) {
  total <- squares <- 0
  for (start in seq(1, n, by = 5000)) {
    part <- products(start:min(n, start + 4999))
    total <- total + colSums(part)
    squares <- squares + crossprod(part)
  }
  means <- total / n
  as_joint(n, rows, columns, means, (squares - n * outer(means, means)) / (n * (n - 1)))
}

as_joint <- function(n, rows, columns, means, covariance) {
  size <- rows * columns
  list(n = n, cells = matrix(means[seq_len(size)], rows, byrow = TRUE),
       rows = means[size + seq_len(rows)], columns = means[size + rows + seq_len(columns)],
       covariance = unname(covariance))
}

joint_of_pairs <- function(a, b) {
  u <- rep(seq_len(ncol(a)), each = ncol(b))
  w <- rep(seq_len(ncol(b)), ncol(a))
  joint_of(nrow(a), ncol(a), ncol(b), function(at)
    cbind(a[at, u, drop = FALSE] * b[at, w, drop = FALSE], a[at, , drop = FALSE],
          b[at, , drop = FALSE]))
}

# One question of the kind cross: its options are the cells, then those of silence, if any. With
# silence, association and test are about those who answered.
own_table <- function(id) {
  d <- design_of(id)
  labels <- codebook[codebook$question == id & codebook$row != "", ]
  if (nrow(labels) == 0) stop("cross() needs a second question: ", id, " is not of the kind cross",
                              call. = FALSE)
  rows <- unique(labels$row)
  columns <- unique(labels$column)
  check_cells(length(rows), length(columns))
  found <- share_table(d, reports[[id]])
  if (found$n[1] < 2) stop(id, " has fewer than two reports", call. = FALSE)
  size <- seq_len(nrow(labels))
  sums <- margin_sums(length(rows), length(columns))
  whole <- choice_covariance(d, found$share, found$n[1])[size, size]
  joint <- as_joint(found$n[1], length(rows), length(columns), drop(sums %*% found$share[size]),
                    sums %*% whole %*% t(sums))
  sides <- list(list(name = "row", labels = rows), list(name = "column", labels = columns))
  answered <- sum(joint$cells)
  known <- if (nrow(found) == length(size)) joint else if (answered > 0) among_answered(joint)
  tables(cells = labelled(sides[[1]], sides[[2]], joint_cells(joint)),
         independence = cells_independence(d, found$share, joint),
         association = if (!is.null(known)) association(known),
         no_answer = if (nrow(found) > length(size)) 1 - answered,
         note = few_note(min(found$reported_count[size])))
}

# The shares of those who answered, and how these vary together.
among_answered <- function(joint) {
  size <- length(joint$cells)
  total <- sum(joint$cells)
  values <- c(t(joint$cells), joint$rows, joint$columns) / total
  change <- (diag(length(values)) - outer(values, as.numeric(seq_along(values) <= size))) / total
  as_joint(joint$n, nrow(joint$cells), ncol(joint$cells), values,
           change %*% joint$covariance %*% t(change))
}

# What makes the cells and both margins out of the cells.
margin_sums <- function(rows, columns) rbind(
  diag(rows * columns), kronecker(diag(rows), t(rep(1, columns))),
  kronecker(t(rep(1, rows)), diag(columns)))

# The excess of a cell is cell - row x column. A row per cell: its derivative by all shares.
excess_slope <- function(joint) cbind(
  diag(length(joint$cells)), -kronecker(diag(length(joint$rows)), joint$columns),
  -kronecker(joint$rows, diag(length(joint$columns))))

variance_of <- function(joint, slope) max(drop(slope %*% joint$covariance %*% slope), 0)

association <- function(joint) {
  both <- if (all(dim(joint$cells) == 2)) rbind(phi_of(joint), log_odds_of(joint))
  rbind(both, cramer_of(joint))
}

measure <- function(name, value = NA, error = NA, low = -Inf, high = Inf) data.frame(
  measure = name, value = value, standard_error = error, low = max(low, value - z * error),
  high = min(high, value + z * error))

# The correlation of two yes/no answers; NA if a margin is not between 0 and 1.
phi_of <- function(joint) {
  p <- c(joint$rows[2], joint$columns[2])
  spread <- p * (1 - p)
  if (!all(spread > 0)) return(measure("phi"))
  scale <- sqrt(prod(spread))
  phi <- (joint$cells[2, 2] - prod(p)) / scale
  slope <- rep(0, 8)
  slope[c(4, 6, 8)] <- c(1, -rev(p)) / scale - phi * c(0, (1 - 2 * p) / (2 * spread))
  measure("phi", phi, sqrt(variance_of(joint, slope)), -1, 1)
}

# NA unless all four cells are above 0.
log_odds_of <- function(joint) {
  cells <- c(t(joint$cells))
  if (!all(cells > 0)) return(measure("log odds ratio"))
  sign <- c(1, -1, -1, 1)
  error <- sqrt(variance_of(joint, c(sign / cells, rep(0, 4))))
  measure("log odds ratio", sum(sign * log(cells)), error)
}

# Cramer's V, without what chance alone would add to its square. Its error holds only if V is
# clearly above 0 and not above 1.
cramer_of <- function(joint) {
  name <- "Cramer's V"
  margins <- list(pmax(joint$rows, 0.001), pmax(joint$columns, 0.001))
  expected <- outer(margins[[1]], margins[[2]])
  excess <- joint$cells - outer(joint$rows, joint$columns)
  slope <- excess_slope(joint)
  noise <- matrix(rowSums((slope %*% joint$covariance) * slope), nrow(excess), byrow = TRUE)
  most <- min(dim(excess)) - 1
  value <- sqrt(max(sum((excess^2 - noise) / expected) / most, 0))
  if (value == 0) return(measure(name, 0))
  parts <- excess^2 / expected
  by_margin <- c(ifelse(joint$rows > 0.001, -rowSums(parts) / joint$rows, 0),
                 ifelse(joint$columns > 0.001, -colSums(parts) / joint$columns, 0))
  by_all <- drop(c(t(2 * excess / expected)) %*% slope) + c(rep(0, length(excess)), by_margin)
  error <- sqrt(variance_of(joint, by_all / most)) / (2 * value)
  if (value > 1 || error == 0 || 2 * error >= value) return(measure(name, min(value, 1)))
  measure(name, value, error, 0, 1)
}

# Pearson's test on the reports if both name one option, and right for every pair of randomizers:
# independent answers give independent reports. Boxes of which a report holds one are taken one by
# one, and their statistics added. If a report holds several boxes, one that it does not hold counts
# as average.
independence <- function(a, b) {
  parts <- function(scores) if (ncol(scores) > 1 && all(rowSums(!is.na(scores)) == 1))
    lapply(seq_len(ncol(scores)), function(at) scores[, at, drop = FALSE]) else list(scores)
  chi_square <- df <- 0
  for (x in parts(a)) for (y in parts(b)) {
    seen <- rowSums(!is.na(x)) > 0 & rowSums(!is.na(y)) > 0
    if (!any(seen)) next
    one <- centred(x[seen, , drop = FALSE])
    other <- centred(y[seen, , drop = FALSE])
    s1 <- pseudo_inverse(crossprod(one))
    s2 <- pseudo_inverse(crossprod(other))
    t <- crossprod(one, other)
    chi_square <- chi_square + sum(seen) * sum((s1$inverse %*% t) * (t %*% s2$inverse))
    df <- df + s1$rank * s2$rank
  }
  chi_square_test(chi_square, df)
}

centred <- function(scores) {
  found <- sweep(scores, 2, colMeans(scores, na.rm = TRUE))
  found[is.na(found)] <- 0
  found
}

# The same for one question of the kind cross: the excess of its cells, weighed by its covariance if
# the cells were the products of their margins.
cells_independence <- function(d, share, joint) {
  rows <- length(joint$rows)
  columns <- length(joint$columns)
  size <- seq_len(rows * columns)
  silence <- clip(share[-size])
  answered <- 1 - sum(silence)
  total <- sum(share[size])
  if (!(answered > 0 && total > 0)) return(chi_square_test(0, 0))
  possible <- function(margin) { margin <- pmax(margin, 1e-4); margin / sum(margin) }
  row <- rowSums(joint$cells) / total
  column <- colSums(joint$cells) / total
  excess <- c(t(joint$cells / total - outer(row, column)))
  flat <- list(cells = joint$cells, rows = possible(row), columns = possible(column))
  expected <- c(t(outer(flat$rows, flat$columns)))
  slope <- excess_slope(flat) %*% margin_sums(rows, columns)
  slope <- slope %*% (diag(length(size)) - outer(expected, rep(1, length(size)))) / answered
  truth <- c(answered * expected, silence)
  whole <- choice_noise(d, truth, 1) + diag(truth) - outer(truth, truth)
  spread <- pseudo_inverse(slope %*% (whole[size, size] / joint$n) %*% t(slope))
  df <- min(spread$rank, (rows - 1) * (columns - 1))
  chi_square_test(drop(excess %*% spread$inverse %*% excess), df)
}
