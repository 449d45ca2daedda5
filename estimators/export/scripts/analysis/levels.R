# Answers with an order and a distance: means, quantiles, distributions.

transition <- function(d) {
  keep <- keep_of(d)
  x <- 0:d$top
  if (d$mechanism == "rt") {
    t <- rep(seq_len(d$top), each = 2)
    bit <- rep(0:1, d$top)
    return(ifelse(outer(t, x, "<=") == (bit == 1), keep, 1 - keep) / d$top)
  }
  silent <- if (is.na(d$silent)) 0 else d$silent
  near <- d$width + 1
  far <- d$top + silent * near
  starts <- c(x, d$top + near * seq_len(silent))
  inside <- outer(seq_len(near + far) - 1, starts, function(y, x) x <= y & y < x + near)
  ifelse(inside, keep / near, (1 - keep) / far)
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

# The number of which each report of a sliding window is an unbiased estimate; 0 for silence.
mean_score <- function(d, cells) {
  if (has_silence(d)) {
    w <- silent_window(d)
    return((d$lo * w$given + d$step * w$level)[suppressWarnings(as.numeric(cells)) + 1])
  }
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
  own <- shares[seq_len(d$top + 1)]
  own / sum(own)
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

# Least squares with coefficients that are not negative: let the steepest one in, drop those that
# would fall below 0.
not_negative <- function(a, b) {
  x <- numeric(ncol(a))
  kept <- rep(FALSE, ncol(a))
  repeat {
    slope <- ifelse(kept, 0, drop(crossprod(a, b - a %*% x)))
    if (max(slope) <= 1e-12) return(x)
    kept[which.max(slope)] <- TRUE
    repeat {
      wanted <- numeric(ncol(a))
      wanted[kept] <- qr.coef(qr(a[, kept, drop = FALSE]), b)
      below <- kept & wanted <= 0
      if (!any(below)) break
      part <- min((x / (x - wanted))[below])
      x <- x + part * (wanted - x)
      kept <- kept & !(below & x <= 1e-15)
      x[!kept] <- 0
    }
    x <- wanted
  }
}

# P(answer <= level) of a sliding window: the shares with the least squares, at most 128 bins of
# neighbours. The limits are left to analyse.py.
window_limits <- function(d, counts) {
  m <- transition(d)
  levels <- d$top + 1
  bins <- min(levels, 128)
  edges <- (0:bins * levels) %/% bins
  widths <- diff(edges)
  own <- t(rowsum(t(m[, seq_len(levels)]), rep(seq_len(bins), widths))) / rep(widths, each = nrow(m))
  m <- cbind(own, m[, seq_len(ncol(m) - levels) + levels, drop = FALSE])
  observed <- counts / sum(counts)
  shares <- rep(1 / ncol(m), ncol(m))
  for (step in 1:100) {
    shares <- shares * drop(t(m) %*% (observed / drop(m %*% shares)))
    shares <- shares / sum(shares)
  }
  weights <- sqrt(sum(counts) / drop(m %*% shares))
  best <- not_negative(rbind(weights * (m - observed), 1), c(rep(0, nrow(m)), 1))[seq_len(bins)]
  if (sum(best) == 0) best <- rep(1, bins)
  fitted <- pmin(cumsum(rep(best / sum(best) / widths, widths)), 1)[seq_len(d$top)]
  data.frame(value = fitted, low = NA, high = NA)
}

# P(answer <= level) of thresholds: the likeliest shares that never fall, and where twice the
# logarithm of their likelihood falls by 6.6349, the 99 % quantile of chi-square(1).
threshold_limits <- function(d, counts) {
  ch <- channel(d); p <- unname(ch["p"]); q <- unname(ch["q"])
  no <- counts[c(TRUE, FALSE)]
  asked <- no + counts[c(FALSE, TRUE)]
  said_no <- ifelse(asked > 0, no / pmax(asked, 1), 0.5)
  pooled <- function(at) never_falling(said_no[at], asked[at])
  between <- function(x, low, high) pmin(pmax(x, low), high)
  likelihood <- function(lam) sum(no * log(lam) + (asked - no) * log1p(-lam))
  best <- between(pooled(seq_along(no)), q, p)
  fitted <- (best - q) / (p - q)
  end_of <- function(v, bound) {
    left <- pooled(seq_len(v - 1))
    right <- pooled(seq_len(length(no) - v) + v)
    excess <- function(share) {
      lam <- q + (p - q) * share
      lams <- c(between(left, q, lam), lam, between(right, lam, p))
      sqrt(max(2 * (likelihood(best) - likelihood(lams)), 0)) - sqrt(6.6349)
    }
    if (excess(bound) <= 0) return(bound)
    uniroot(excess, sort(c(fitted[v], bound)), tol = 1e-12)$root
  }
  data.frame(value = fitted, low = vapply(seq_along(no), end_of, 0, bound = 0),
             high = vapply(seq_along(no), end_of, 0, bound = 1))
}

# Every level v with high(F(v)) >= part and low(F(v - 1)) <= part.
quantile_row <- function(percent, cdf, values, n) {
  part <- percent / 100
  possible <- which(c(cdf$high >= part, TRUE) & c(TRUE, cdf$low <= part))
  ends <- if (anyNA(cdf$low)) c(NA, NA) else values[range(possible)]
  data.frame(quantity = sprintf("quantile_%02d", percent), option = NA, n = n,
             value = values[which(c(cdf$value >= part, TRUE))[1]], low = ends[1], high = ends[2])
}

level_rows <- function(d, cells) {
  counts <- counts_of(d, cells)
  n <- sum(counts)
  is_window <- d$mechanism == "isw"
  if (is_window && has_silence(d)) {
    found <- answered_rows(d, cells, counts)
    if (d$top >= 1001 || !found$known) return(found$rows)
    return(distribution_rows(d, counts, found$rows))
  }
  score <- if (is_window) window_mean(d, counts) else threshold_score(d, counts, 0:d$top)
  scaled <- score * c(d$step, d$step^2, d$step^2, d$step) + c(d$lo, 0, 0, 0)
  rows <- list(do.call(score_row, c(list("mean", n), scaled)))
  if (d$top >= 1001) return(rows)
  if (d$top == 10 && d$lo == 0 && d$step == 1) {
    target <- net_promoters(0:10)
    found <- if (is_window) window_score(d, counts, target) else threshold_score(d, counts, target)
    rows$promoters <- do.call(score_row, c(list("net_promoters", n), found))
  }
  distribution_rows(d, counts, rows)
}

# Add quantiles, shares up to a level, and shares of levels, of those who answered.
distribution_rows <- function(d, counts, rows) {
  n <- sum(counts)
  cdf <- if (d$mechanism == "isw") window_limits(d, counts) else threshold_limits(d, counts)
  for (percent in c(5, 25, 50, 75, 95))
    rows[[length(rows) + 1]] <- quantile_row(percent, cdf, d$lo + d$step * (0:d$top), n)
  listed <- if (d$top > 20) floor(seq(0, d$top - 1, length.out = 20) + 0.5) else seq_len(d$top) - 1
  rows$at_most <- cbind(data.frame(quantity = "at_most", option = listed, n = n,
                                   share = cdf$value[listed + 1]), cdf[listed + 1, ])
  shares <- expectation_maximisation(d, counts)
  rows$level <- data.frame(quantity = "level", option = 0:d$top, n = n, value = shares,
                           share = shares)
  rows
}
