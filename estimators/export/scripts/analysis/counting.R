# From reports to counts, and the probabilities p and q of a mechanism.

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
    isw = {
      # Of an option for silence.
      near <- d$width + 1
      c(p = keep, q = if (is.na(d$silent)) 1 - keep
                      else (1 - keep) * near / (d$top + d$silent * near))
    },
    c(p = keep, q = 1 - keep))
}

option_count <- function(d) switch(d$mechanism, rr = 2, rt = d$top, isw = d$silent, d$options)

# For every c the sum over z of (-1)^(number of common one-bits of c and z) x[z].
walsh_hadamard <- function(x) {
  half <- 1
  while (half < length(x)) {
    pairs <- array(x, c(half, 2, length(x) / (2 * half)))
    first <- pairs[, 1, ]
    pairs[, 1, ] <- first + pairs[, 2, ]
    pairs[, 2, ] <- first - pairs[, 2, ]
    x <- as.vector(pairs)
    half <- 2 * half
  }
  x
}

# For each option: the reports that support it, and the reports that are about it.
support <- function(d, cells) {
  cells <- cells[cells != "null"]
  n <- length(cells)
  k <- option_count(d)
  values <- unlist(integers(cells))
  if (d$mechanism == "smp") {
    box <- values[c(TRUE, FALSE)]
    ticked <- values[c(FALSE, TRUE)] == 1
    return(list(reported = tabulate(box[ticked] + 1, k), asked = tabulate(box + 1, k)))
  }
  reported <- if (d$mechanism == "hr") {
    columns <- tabulate(values + 1, 2^(floor(log2(k)) + 1))
    (n + walsh_hadamard(columns)[seq_len(k) + 1]) / 2
  } else if (d$mechanism == "isw") {
    # The windows of silence come after those of the levels.
    beyond <- values - d$top - d$width - 1
    tabulate(beyond[beyond >= 0] %/% (d$width + 1) + 1, k)
  } else tabulate(values + 1, k)
  list(reported = reported, asked = rep(n, k))
}

odd_bits <- function(x, y) {
  common <- (x %/% 2^(0:15)) %% 2 == 1 & (y %/% 2^(0:15)) %% 2 == 1
  sum(common) %% 2 == 1
}

# For each report: 1 if it supports this option, 0 if not, NA if it is not about it.
supports <- function(d, cells, option) {
  asked <- cells != "null"
  result <- rep(NA_real_, length(cells))
  result[asked] <- vapply(integers(cells[asked]), function(v) as.numeric(switch(d$mechanism,
    hr = !odd_bits(v, option + 1),
    smp = v[c(FALSE, TRUE)][match(option, v[c(TRUE, FALSE)])],
    # Whether the answer is at least the level `option`.
    rt = if (v[1] == option) v[2] else NA,
    option %in% v)), 0)
  result
}
