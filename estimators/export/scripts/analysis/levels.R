# Answers with an order and a distance: means, medians, distributions.

transition <- function(d) {
  keep <- keep_of(d)
  x <- 0:d$top
  if (d$mechanism == "rt") {
    t <- rep(seq_len(d$top), each = 2)
    bit <- rep(0:1, d$top)
    return(ifelse(outer(t, x, "<=") == (bit == 1), keep, 1 - keep) / d$top)
  }
  near <- outer(0:(d$top + d$width), x, function(y, x) x <= y & y <= x + d$width)
  ifelse(near, keep / (d$width + 1), (1 - keep) / d$top)
}

counts_of <- function(d, cells) {
  values <- integers(cells[cells != "null"])
  at <- vapply(values, function(v) if (d$mechanism == "rt") 2 * (v[1] - 1) + v[2] else v[1], 0)
  tabulate(at + 1, nrow(transition(d)))
}

threshold_score <- function(d, counts, target) {
  ch <- channel(d); p <- unname(ch["p"]); q <- unname(ch["q"]); n <- sum(counts); top <- d$top
  yes <- counts[c(FALSE, TRUE)]
  asked <- counts[c(TRUE, FALSE)] + yes
  stratified <- function(h) {
    steps <- diff(h)
    used <- steps != 0
    lam <- (yes / asked)[used]
    whole <- sum(steps[used]^2 * lam * (1 - lam) / (asked[used] - 1)) / (p - q)^2
    least <- sum(steps[used]^2 * noise(lam, ch) / asked[used])
    c(h[1] + sum(steps[used] * debias(lam, ch)), whole, least)
  }
  centred <- function(h) {
    steps <- diff(h)
    centre <- (top + 1 - seq_len(top)) / (top + 1)
    base <- h[1] + sum(steps * centre)
    said_yes <- base + top * steps * ((1 - q) / (p - q) - centre)
    said_no <- base + top * steps * (-q / (p - q) - centre)
    value <- sum(yes * said_yes + (asked - yes) * said_no) / n
    squares <- sum(yes * (said_yes - value)^2 + (asked - yes) * (said_no - value)^2)
    c(value, squares / (max(n - 1, 1) * n), top * sum(steps^2) * noise(0.5, ch) / n)
  }
  estimate <- if (all(asked[diff(target) != 0] >= 30)) stratified else centred
  found <- estimate(target)
  truth <- estimate(target^2)[1] - found[1]^2 + found[2]
  possible <- min(max(truth, 0), diff(range(target))^2 / 4)
  c(found[1], found[2] - truth / n, truth / n, sqrt(max(found[2] - possible / n, found[3])))
}

window <- function(d) {
  keep <- keep_of(d)
  last <- d$top + d$width
  away <- (1 - keep) / d$top
  list(slope = keep - away * (d$width + 1), intercept = away * last * (last + 1) / 2,
       rest = away * last * (last + 1) * (2 * last + 1) / 6)
}

# The number of which each report of a sliding window is an unbiased estimate.
mean_score <- function(d, cells) {
  m <- window(d)
  y <- suppressWarnings(as.numeric(cells))
  d$lo + d$step * ((y - m$intercept) / m$slope - d$width / 2)
}

variance <- function(scores, counts, value) {
  n <- sum(counts)
  if (n == 1) diff(range(scores))^2 / 4 else sum(counts * (scores - value)^2) / (n * (n - 1))
}

window_mean <- function(d, counts) {
  m <- window(d); w <- d$width; n <- sum(counts)
  y <- seq_along(counts) - 1
  scores <- (y - m$intercept) / m$slope - w / 2
  squares <- (y^2 - m$rest) / m$slope - w * (w + 2) / 12 - w * scores - w^2 / 4
  added <- function(level) {
    mu <- level + w / 2
    (m$slope * (w * (w + 2) / 12 + mu^2) + m$rest - (m$slope * mu + m$intercept)^2) / m$slope^2
  }
  value <- sum(counts * scores) / n
  square <- sum(counts * squares) / n
  bend <- (added(2) - 2 * added(1) + added(0)) / 2
  tilt <- added(1) - added(0) - bend
  noise_variance <- (added(0) + tilt * value + bend * square) / n
  near <- min(max(value, 0), d$top)
  spread <- min(max(square - value^2, 0), near * (d$top - near))
  possible <- added(0) + tilt * near + bend * (near^2 + spread)
  c(value, noise_variance, variance(scores, counts, value) - noise_variance, sqrt(possible / n))
}

window_score <- function(d, counts, target) {
  m <- transition(d); n <- sum(counts)
  weighted <- m / rowMeans(m)
  best <- t(solve(t(m) %*% weighted, t(weighted)))
  scores <- drop(best %*% target)
  value <- sum(counts * scores) / n
  whole <- variance(scores, counts, value)
  truth <- sum(counts * drop(best %*% target^2)) / n - value^2 + whole
  possible <- min(max(truth, 0), diff(range(target))^2 / 4)
  c(value, whole - truth / n, truth / n, sqrt(max(whole - possible / n, 0)))
}

expectation_maximisation <- function(d, counts) {
  m <- transition(d)
  observed <- counts / sum(counts)
  shares <- rep(1 / ncol(m), ncol(m))
  for (step in 1:300) {
    shares <- shares * drop(t(m) %*% (observed / drop(m %*% shares)))
    shares <- shares / sum(shares)
  }
  shares
}

never_falling <- function(values, weights) {
  blocks <- list()
  for (i in seq_along(values)) {
    block <- c(values[i], max(weights[i], 1e-9), 1)
    while (length(blocks) && blocks[[length(blocks)]][1] > block[1]) {
      before <- blocks[[length(blocks)]]
      blocks[[length(blocks)]] <- NULL
      weight <- before[2] + block[2]
      block <- c((before[1] * before[2] + block[1] * block[2]) / weight, weight,
                 before[3] + block[3])
    }
    blocks[[length(blocks) + 1]] <- block
  }
  rep(vapply(blocks, `[`, 0, 1), vapply(blocks, `[`, 0, 3))
}

level_rows <- function(d, cells) {
  counts <- counts_of(d, cells)
  n <- sum(counts)
  is_window <- d$mechanism == "isw"
  score <- if (is_window) window_mean(d, counts) else threshold_score(d, counts, 0:d$top)
  scaled <- score * c(d$step, d$step^2, d$step^2, d$step) + c(d$lo, 0, 0, 0)
  rows <- list(do.call(score_row, c(list("mean", n), scaled)))
  if (d$top >= 1001) return(rows)
  shares <- expectation_maximisation(d, counts)
  if (is_window) {
    cdf <- cumsum(shares)[seq_len(d$top)]
    at_most <- data.frame(value = cdf, low = NA, high = NA, monotone = cdf)
  } else {
    ch <- channel(d)
    no <- counts[c(TRUE, FALSE)]
    asked <- no + counts[c(FALSE, TRUE)]
    ends <- wilson(no, asked, ch, z)
    value <- 1 - debias((asked - no) / asked, ch)
    monotone <- clip(never_falling(ifelse(asked > 0, value, 0.5), asked))
    at_most <- data.frame(value = ifelse(asked > 0, value, NA), low = ifelse(asked > 0, ends$low, 0),
                          high = ifelse(asked > 0, ends$high, 1), monotone = monotone)
  }
  first <- function(flags) if (any(is.na(flags))) NA else c(which(flags), d$top + 1)[1]
  number <- function(place) d$lo + d$step * (place - 1)
  rows$median <- data.frame(
    quantity = "median", option = NA, n = n, value = number(first(at_most$monotone >= 0.5)),
    low = number(first(at_most$high >= 0.5)),
    high = number(d$top + 2 - first(rev(at_most$low < 0.5))))
  if (d$top == 10 && d$lo == 0 && d$step == 1) {
    target <- net_promoters(0:10)
    found <- if (is_window) window_score(d, counts, target) else threshold_score(d, counts, target)
    rows$promoters <- do.call(score_row, c(list("net_promoters", n), found))
  }
  rows$cdf <- cbind(data.frame(quantity = "at_most", option = seq_len(d$top) - 1, n = n,
                               share = at_most$value), at_most)
  rows$level <- data.frame(quantity = "level", option = 0:d$top, n = n, value = shares,
                           share = shares)
  rows
}
