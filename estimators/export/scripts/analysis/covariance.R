# How the estimated shares of one question vary together.
#
# `at` are the positions of options, from 1 on. Only their block of the matrix is computed, so a few
# options of a list of thousands are cheap.

# The noise covariance of one choice out of several: linear in the shares.
choice_noise <- function(d, share, n, at = seq_along(share)) {
  ch <- channel(d)
  alpha <- unname(ch["p"] - ch["q"])
  k <- length(share)
  if (d$mechanism == "hr") {
    rows <- outer(at, at, bitwXor)
    block <- matrix(c(0, share)[ifelse(rows <= k, rows, 0) + 1], length(at)) / (2 * alpha)
  } else {
    p <- unname(ch["p"]); q <- unname(ch["q"])
    w <- if (d$mechanism == "rr") 1 else d$size
    told <- (p * (w - 1) / (k - 1) - p * q) / alpha^2
    outside <- (p * (w - 1) * (w - 2) + (1 - p) * w * (w - 1)) / max((k - 1) * (k - 2), 1)
    silent <- if (k > 2) (outside - q^2) / alpha^2 else 0
    block <- outer(share[at], share[at], "+") * (told - silent) + silent
  }
  diag(block) <- noise(share[at], ch)
  block / n
}

# The noise covariance of check-boxes, if they are ticked independently of each other.
check_noise <- function(d, share, n) {
  both <- outer(share, share)
  if (d$mechanism == "smp") return(both * 0)
  ch <- channel(d)
  chance <- pair_chances(d)
  lam <- unname(ch["q"] + (ch["p"] - ch["q"]) * share)
  held <- chance$silent + (chance$told - chance$silent) * (outer(share, share, "+") - both)
  (held - outer(lam, lam)) / unname(ch["p"] - ch["q"])^2 / n
}

# How often a private set holds two boxes if the answer holds one of them, and if it holds neither.
pair_chances <- function(d) {
  k <- d$options; w <- d$size; items <- k + d$at_most; keep <- keep_of(d)
  hit <- 1 - choose(k, w) / choose(items, w)
  uniform <- w * (w - 1) / (items * (items - 1))
  outside <- if (k > 1) w * (w - 1) / (k * (k - 1)) else 0
  list(told = keep * uniform / hit,
       silent = keep * (uniform - (1 - hit) * outside) / hit + (1 - keep) * outside)
}

# The covariance of the shares of one choice, for the population.
choice_covariance <- function(d, share, n) {
  noise_part <- choice_noise(d, share, n)
  noise_part + (diag(share, length(share)) - outer(share, share) + noise_part) / max(n - 1, 1)
}

covariance_table <- function(d, shares, at = seq_len(nrow(shares))) {
  n <- shares$n[1]
  share <- shares$share[at]
  if (d$mechanism %in% c("smp", "privset")) {
    noise_part <- check_noise(d, share, n)
    diag(noise_part) <- shares$noise_variance[at]
    sampling <- diag(shares$sampling_variance[at], length(at))
  } else {
    noise_part <- choice_noise(d, shares$share, n, at)
    sampling <- (diag(share, length(at)) - outer(share, share) + noise_part) / max(n - 1, 1)
  }
  pairs <- which(upper.tri(noise_part, diag = TRUE), arr.ind = TRUE)
  data.frame(option_1 = at[pairs[, 1]] - 1, option_2 = at[pairs[, 2]] - 1,
             noise_covariance = noise_part[pairs], sampling_covariance = sampling[pairs],
             population_covariance = noise_part[pairs] + sampling[pairs])
}

# covariance_of("name", c(3, 17, 240)) gives rows as in covariance.csv, for a list of any length.
covariance_of <- function(id, options, group = "") {
  d <- design[id, ]
  covariance_table(d, share_table(d, cells_of(id, group)), options + 1)
}
