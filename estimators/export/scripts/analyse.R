# Derive the figures of estimates.csv and covariance.csv again, in base R.
#
# Rscript analyse.R   in the unpacked folder. It writes rederived_estimates.csv and
# rederived_covariance.csv and says how far they are from the originals. What is only for display
# (maximum_likelihood, posterior_mean) and intervals by resampling are left to analyse.py.
# n reports, c of them support an option; p and q are the chances that a report supports the true
# option, and any other one.

reports <- read.csv("reports.csv", colClasses = "character", check.names = FALSE,
                    na.strings = character())
codebook <- read.csv("codebook.csv", colClasses = "character", na.strings = character())
estimates <- read.csv("estimates.csv", colClasses = "character", na.strings = character())
covariances <- read.csv("covariance.csv", colClasses = "character", na.strings = character())

design <- codebook[!duplicated(codebook$question), ]
rownames(design) <- design$question
numbers <- c("threshold", "options", "size", "asked", "at_most", "top", "width", "lo", "hi", "step")
design[numbers] <- lapply(design[numbers], as.numeric)
z <- qnorm((1 + as.numeric(estimates$confidence[1])) / 2)

# ---- counting -----------------------------------------------------------------------------------

integers <- function(cells) lapply(strsplit(gsub("[^0-9]+", " ", cells), " "), function(parts)
  as.numeric(parts[parts != ""]))

keep_of <- function(d) d$threshold / 2^32

channel <- function(d) {
  keep <- keep_of(d)
  switch(d$mechanism,
    ss = c(p = keep, q = (d$size - keep) / (d$options - 1)),
    hr = c(p = keep, q = 0.5),
    privset = {
      items <- d$options + d$at_most
      miss <- choose(d$options, d$size) / choose(items, d$size)
      hit <- keep / (1 - miss)
      outside <- d$size / d$options
      c(p = hit * d$size / items,
        q = hit * (d$size / items - miss * outside) + (1 - keep) * outside)
    },
    c(p = keep, q = 1 - keep))
}

option_count <- function(d) switch(d$mechanism, rr = 2, rt = d$top, d$options)

odd_bits <- function(x, y) {
  odd <- rep(FALSE, max(length(x), length(y)))
  for (bit in 0:15) odd <- xor(odd, (x %/% 2^bit) %% 2 == 1 & (y %/% 2^bit) %% 2 == 1)
  odd
}

# A row per report, a column per option: 1 supports it, 0 does not, NA says nothing about it.
supports <- function(d, cells) {
  k <- option_count(d)
  values <- integers(cells)
  result <- matrix(NA_real_, length(cells), k)
  for (i in which(cells != "null")) {
    v <- values[[i]]
    result[i, ] <- switch(d$mechanism,
      rr = as.numeric(0:1 == v),
      hr = as.numeric(!odd_bits(v, seq_len(k))),
      smp = {
        row <- rep(NA_real_, k)
        row[v[c(TRUE, FALSE)] + 1] <- v[c(FALSE, TRUE)]
        row
      },
      rt = { row <- rep(NA_real_, k); row[v[1]] <- v[2]; row },
      as.numeric((seq_len(k) - 1) %in% v))
  }
  result
}

# ---- shares of options --------------------------------------------------------------------------

noise <- function(share, ch) {
  yes <- ch["p"] * (1 - ch["p"]) / (ch["p"] - ch["q"])^2
  no <- ch["q"] * (1 - ch["q"]) / (ch["p"] - ch["q"])^2
  unname(no + share * (yes - no))
}

debias <- function(lam, ch) unname((lam - ch["q"]) / (ch["p"] - ch["q"]))

wilson <- function(count, n, ch, z) {
  middle <- (count + z^2 / 2) / (n + z^2)
  half <- z / (n + z^2) * sqrt(count * (n - count) / n + z^2 / 4)
  list(low = debias(middle - half, ch), high = debias(middle + half, ch))
}

clip <- function(x) pmin(pmax(x, 0), 1)

norm_sub <- function(share) {
  falling <- sort(share, decreasing = TRUE)
  excess <- (cumsum(falling) - 1) / seq_along(share)
  pmax(share - excess[max(which(falling > excess))], 0)
}

share_table <- function(d, cells) {
  ch <- channel(d)
  s <- supports(d, cells)
  n <- sum(cells != "null")
  asked <- colSums(!is.na(s))
  reported <- colSums(s, na.rm = TRUE)
  about <- ifelse(asked > 0, asked, NA)
  lam <- reported / about
  share <- debias(lam, ch)
  clipped <- clip(share)
  alpha <- unname(ch["p"] - ch["q"])
  truth <- ifelse(asked == 1, 0.25,
                  lam * (1 - lam) / (alpha^2 * (1 - 1 / about)) - noise(share, ch))
  unasked <- 1 - about / n
  ends <- wilson(reported, about, ch, z)
  ends95 <- wilson(reported, about, ch, qnorm(0.975))
  together <- wilson(reported, about, ch, qnorm(1 - (1 - pnorm(z)) / length(share)))
  noise_error <- sqrt((noise(clipped, ch) + unasked * pmax(truth, 0)) / about)
  sampling_error <- sqrt(pmax(truth / n, 0))
  effect <- 1 + noise(clipped, ch) / (clipped * (1 - clipped))
  effect[!is.finite(effect)] <- NA
  table <- data.frame(
    quantity = "share", option = seq_along(share) - 1, n = n,
    value = share, low = ends$low, high = ends$high,
    noise_variance = (noise(share, ch) + unasked * truth) / about,
    sampling_variance = truth / n, noise_error = noise_error, sampling_error = sampling_error,
    standard_error = sqrt(noise_error^2 + sampling_error^2),
    asked = asked, reported_count = reported, reported_share = lam,
    total = share * n, share = share, clipped_share = clipped,
    clipped_low = clip(ends$low), clipped_high = clip(ends$high),
    simultaneous_low = together$low, simultaneous_high = together$high,
    design_effect = effect, effective_n = asked / effect,
    flag = ends95$high < 0 | ends95$low > 1)
  if (!d$mechanism %in% c("smp", "privset")) table$norm_sub <- norm_sub(share)
  table
}

# ---- how the estimated shares vary together -----------------------------------------------------

choice_noise <- function(d, share, n) {
  ch <- channel(d)
  alpha <- unname(ch["p"] - ch["q"])
  k <- length(share)
  if (d$mechanism == "hr") {
    rows <- outer(seq_len(k), seq_len(k), bitwXor)
    matrix <- matrix(c(0, share)[ifelse(rows <= k, rows, 0) + 1], k, k) / (2 * alpha)
  } else {
    p <- unname(ch["p"]); q <- unname(ch["q"])
    w <- if (d$mechanism == "rr") 1 else d$size
    told <- (p * (w - 1) / (k - 1) - p * q) / alpha^2
    outside <- (p * (w - 1) * (w - 2) + (1 - p) * w * (w - 1)) / max((k - 1) * (k - 2), 1)
    silent <- if (k > 2) (outside - q^2) / alpha^2 else 0
    matrix <- outer(share, share, "+") * (told - silent) + silent
  }
  diag(matrix) <- noise(share, ch)
  matrix / n
}

check_noise <- function(d, share, n) {
  both <- outer(share, share)
  if (d$mechanism == "smp") return(both * 0)
  ch <- channel(d)
  k <- d$options; w <- d$size; items <- k + d$at_most; keep <- keep_of(d)
  hit <- 1 - choose(k, w) / choose(items, w)
  uniform <- w * (w - 1) / (items * (items - 1))
  outside <- if (k > 1) w * (w - 1) / (k * (k - 1)) else 0
  told <- keep * uniform / hit
  silent <- keep * (uniform - (1 - hit) * outside) / hit + (1 - keep) * outside
  lam <- unname(ch["q"] + (ch["p"] - ch["q"]) * share)
  held <- silent + (told - silent) * (outer(share, share, "+") - both)
  (held - outer(lam, lam)) / unname(ch["p"] - ch["q"])^2 / n
}

covariance_table <- function(d, shares) {
  n <- shares$n[1]
  share <- shares$share
  if (d$mechanism %in% c("smp", "privset")) {
    noise_part <- check_noise(d, share, n)
    diag(noise_part) <- shares$noise_variance
    sampling <- diag(shares$sampling_variance, length(share))
  } else {
    noise_part <- choice_noise(d, share, n)
    sampling <- (diag(share) - outer(share, share) + noise_part) / max(n - 1, 1)
  }
  at <- which(upper.tri(noise_part, diag = TRUE), arr.ind = TRUE)
  data.frame(option_1 = at[, 1] - 1, option_2 = at[, 2] - 1, noise_covariance = noise_part[at],
             sampling_covariance = sampling[at],
             population_covariance = noise_part[at] + sampling[at])
}

# ---- mean and net promoters of a rating scale, among those who gave a level ---------------------

score_row <- function(quantity, n, value, noise_variance, sampling_variance, noise_error) {
  sampling_error <- sqrt(max(sampling_variance, 0))
  error <- sqrt(noise_error^2 + sampling_error^2)
  data.frame(quantity = quantity, option = NA, n = n, value = value, low = value - z * error,
             high = value + z * error, noise_variance = noise_variance,
             sampling_variance = sampling_variance, noise_error = noise_error,
             sampling_error = sampling_error, standard_error = error)
}

net_promoters <- function(level) (level >= 9) - (level <= 6)

scale_rows <- function(d, shares) {
  levels <- d$hi - d$lo + 1
  share <- shares$share
  n <- shares$n[1]
  place <- seq_along(share) - 1
  answered <- as.numeric(place < levels)
  if (sum(answered * share) <= 0) return(NULL)
  ratio <- function(quantity, target) {
    whole <- sum(answered * share)
    value <- sum(target * share) / whole
    h <- (target - value * answered) / whole
    noise_variance <- drop(h %*% choice_noise(d, share, n) %*% h)
    possible <- drop(h %*% choice_noise(d, norm_sub(share), n) %*% h)
    spread <- sum(h^2 * share) - sum(h * share)^2
    sampling <- if (n > 1) (spread + noise_variance) / (n - 1) else diff(range(h))^2 / 4
    score_row(quantity, n, value, noise_variance, sampling, sqrt(max(possible, 0)))
  }
  rows <- ratio("mean", answered * (d$lo + place))
  if (d$lo == 0 && levels == 11)
    rows <- rbind(rows, ratio("net_promoters", answered * net_promoters(place)))
  rows
}

# ---- levels: means, medians, distributions ------------------------------------------------------

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

# The unbiased number that each report of a sliding window stands for.
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

# ---- all questions, everybody and every group ---------------------------------------------------

together <- function(tables) {
  columns <- unique(unlist(lapply(tables, names)))
  filled <- lapply(tables, function(table) {
    table[setdiff(columns, names(table))] <- NA
    table[columns]
  })
  do.call(rbind, filled)
}

analyse <- function() {
  rows <- list()
  triangles <- list()
  for (group in unique(estimates$group)) {
    members <- if (group == "") reports else reports[reports[["_group"]] == group, ]
    for (id in design$question) {
      d <- design[id, ]
      cells <- members[[id]]
      if (!any(cells != "null")) next
      heading <- data.frame(question = id, group = group)
      if (d$mechanism %in% c("rt", "isw")) {
        found <- level_rows(d, cells)
      } else {
        shares <- share_table(d, cells)
        found <- list(shares, if (d$kind == "scale") scale_rows(d, shares))
        if (any(covariances$question == id))
          triangles[[length(triangles) + 1]] <- cbind(heading, covariance_table(d, shares))
      }
      for (table in Filter(Negate(is.null), found))
        rows[[length(rows) + 1]] <- cbind(heading, table)
    }
  }
  list(estimates = together(rows), covariance = together(triangles))
}

compare <- function(name, original, found, key) {
  write.csv(found, paste0("rederived_", name), row.names = FALSE, na = "")
  if (is.null(found)) return(invisible())
  keys <- function(table) do.call(paste, c(lapply(table[key], function(column) {
    column <- as.character(column)
    ifelse(is.na(column), "", column)
  }), sep = "\r"))
  original <- original[match(keys(found), keys(original)), ]
  worst <- 0
  for (column in names(found)[vapply(found, is.numeric, TRUE)]) {
    gap <- abs(found[[column]] - as.numeric(original[[column]])) / pmax(1, abs(found[[column]]))
    worst <- max(worst, gap[is.finite(gap)])
  }
  cat(sprintf("%s: %d rows, the largest difference is %.1e\n", name, nrow(found), worst))
}

# P(report | truth), rows by columns, for yes/no and for one report out of as many options.
perturbation <- function(d) {
  ch <- channel(d)
  k <- option_count(d)
  unname(ch["q"] + diag(ch["p"] - ch["q"], k))
}

options(digits = 17)
derived <- analyse()
compare("estimates.csv", estimates, derived$estimates, c("question", "group", "quantity", "option"))
compare("covariance.csv", covariances, derived$covariance,
        c("question", "group", "option_1", "option_2"))
