# Two questions of the same people. Their randomizers draw independently of each other, so the
# product of a report's two unbiased scores is unbiased for both answers together.

# cross("smokes", "fruit") gives the share of every combination, the share of each answer to the
# second question among those who gave an answer to the first, and tests independence.
cross <- function(first, second) {
  if (first == second) stop("cross() needs two different questions", call. = FALSE)
  for (id in c(first, second)) if (is_number(design_of(id)))
    stop(id, " is a number: cross() is for questions with options", call. = FALSE)
  count <- option_count(design[first, ]) * option_count(design[second, ])
  if (count > 2500)
    stop("these questions have ", count, " combinations; cross() takes up to 2,500, ",
         "joint_share() any one of them", call. = FALSE)
  both <- reports[[first]] != "null" & reports[[second]] != "null"
  if (sum(both) < 2) stop("fewer than two reports answer both questions", call. = FALSE)
  a <- scores_of(first)[both, , drop = FALSE]
  b <- scores_of(second)[both, , drop = FALSE]
  cells <- table_of(seq_len(ncol(a)), seq_len(ncol(b)), function(u, w)
    cbind(data.frame(first = labels_of(first)[u], second = labels_of(second)[w]),
          cell_of(a[, u], b[, w])))
  names(cells)[1:2] <- c(first, second)
  boxes <- c("smp", "privset")
  choices <- !any(design[c(first, second), "mechanism"] %in% boxes)
  found <- list(cells = cells, independence = independence(first, second, a, b))
  if (choices) found$association <- if (ncol(a) == 2 && ncol(b) == 2) two_by_two(a[, 2], b[, 2])
                                    else cramer(a, b)
  do.call(tables, found)
}

# One combination: its share, and its part of those who gave the first answer (Fieller's interval).
cell_of <- function(a, b) {
  product <- a * b
  seen <- !is.na(product)
  n <- sum(seen)
  if (n < 2) return(data.frame(n = n, share = NA, standard_error = NA, low = NA, high = NA,
                               row_share = NA, row_low = NA, row_high = NA))
  pair <- cov(cbind(product, a)[seen, ]) / n
  means <- c(mean(product[seen]), mean(a[seen]))
  error <- sqrt(pair[1, 1])
  part <- fieller(means, diag(pair), z, pair[1, 2])
  # Without an upper end nothing is known of the part, nor if reports are all alike.
  if (!all(is.finite(part)) || pair[1, 1] <= 1e-12 * means[1]^2) part <- c(NA, NA)
  data.frame(n = n, share = means[1], standard_error = error, low = means[1] - z * error,
             high = means[1] + z * error, row_share = means[1] / means[2],
             row_low = part[1], row_high = part[2])
}

# Pearson's test on the reports if both name one option, and right for every pair of randomizers:
# independent answers give independent reports. Boxes that not every report is about are taken one
# by one.
independence <- function(first, second, a, b) {
  parts <- function(id, scores) if (design[id, "mechanism"] == "smp")
    lapply(seq_len(ncol(scores)), function(at) scores[, at, drop = FALSE]) else list(scores)
  chi_square <- df <- 0
  for (x in parts(first, a)) for (y in parts(second, b)) {
    seen <- !is.na(x[, 1]) & !is.na(y[, 1])
    if (sum(seen) < 2) next
    covariance <- cov(cbind(x, y)[seen, , drop = FALSE])
    left <- seq_len(ncol(x))
    s1 <- pseudo_inverse(covariance[left, left, drop = FALSE])
    s2 <- pseudo_inverse(covariance[-left, -left, drop = FALSE])
    t <- covariance[left, -left, drop = FALSE]
    chi_square <- chi_square + sum(seen) * sum((s1$inverse %*% t) * (t %*% s2$inverse))
    df <- df + s1$rank * s2$rank
  }
  chi_square_test(chi_square, df)
}

# phi and the logarithm of the odds ratio; NA if the estimated shares do not allow them.
two_by_two <- function(a, b) {
  n <- length(a)
  both <- a * b
  p <- c(mean(both), mean(a), mean(b))
  scores <- cbind(both - p[1], a - p[2], b - p[3])
  spread <- p[2:3] * (1 - p[2:3])
  phi <- phi_error <- odds <- odds_error <- NA
  if (all(spread > 0)) {
    scale <- sqrt(prod(spread))
    phi <- (p[1] - p[2] * p[3]) / scale
    gradient <- c(1, -p[3], -p[2]) / scale - phi / 2 * c(0, (1 - 2 * p[2:3]) / spread)
    phi_error <- sd(scores %*% gradient) / sqrt(n)
  }
  cells <- c(p[1], p[2] - p[1], p[3] - p[1], 1 - p[2] - p[3] + p[1])
  if (all(cells > 0)) {
    odds <- sum(c(1, -1, -1, 1) * log(cells))
    parts <- cbind(both, a - both, b - both, 1 - a - b + both)
    odds_error <- sd(parts %*% (c(1, -1, -1, 1) / cells)) / sqrt(n)
  }
  data.frame(measure = c("phi", "log odds ratio"), value = c(phi, odds),
             standard_error = c(phi_error, odds_error),
             low = c(max(-1, phi - z * phi_error), odds - z * odds_error),
             high = c(min(1, phi + z * phi_error), odds + z * odds_error))
}

# Cramer's V, without what chance alone would add to its square.
cramer <- function(a, b) {
  n <- nrow(a)
  first <- colMeans(a)
  second <- colMeans(b)
  excess <- 0
  for (u in seq_along(first)) for (w in seq_along(second)) {
    product <- a[, u] * b[, w]
    gap <- mean(product) - first[u] * second[w]
    chance <- var(product - second[w] * a[, u] - first[u] * b[, w]) / n
    excess <- excess + (gap^2 - chance) / (max(first[u], 0.001) * max(second[w], 0.001))
  }
  data.frame(measure = "Cramer's V",
             value = sqrt(max(0, excess) / (min(length(first), length(second)) - 1)))
}
