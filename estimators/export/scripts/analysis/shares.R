# Shares of options: estimates, errors, intervals.

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
  found <- support(d, cells)
  n <- sum(cells != "null")
  asked <- found$asked
  reported <- found$reported
  about <- ifelse(asked > 0, asked, NA)
  lam <- reported / about
  share <- debias(lam, ch)
  clipped <- clip(share)
  alpha <- unname(ch["p"] - ch["q"])
  truth <- ifelse(asked == 1, 0.25,
                  lam * (1 - lam) / (alpha^2 * (1 - 1 / about)) - noise(share, ch))
  unasked <- 1 - about / n
  ends <- wilson(reported, about, ch, z)
  together <- wilson(reported, about, ch, qnorm(1 - (1 - pnorm(z)) / length(share)))
  noise_error <- sqrt((noise(clipped, ch) + unasked * pmax(truth, 0)) / about)
  sampling_error <- sqrt(pmax(truth / n, 0))
  effect <- n / about * (1 + noise(clipped, ch) / (clipped * (1 - clipped)))
  effect[!is.finite(effect)] <- NA
  noise_variance <- (noise(share, ch) + unasked * truth) / about
  boxes <- d$mechanism %in% c("smp", "privset", "isw")
  data.frame(
    quantity = "share", option = seq_along(share) - 1, n = n,
    value = share, low = ends$low, high = ends$high,
    noise_variance = noise_variance,
    sampling_variance = truth / n, noise_error = noise_error, sampling_error = sampling_error,
    standard_error = sqrt(noise_error^2 + sampling_error^2),
    asked = asked, reported_count = reported, reported_share = lam,
    total = share * n, total_noise_variance = n^2 * noise_variance,
    total_sampling_variance = n * truth,
    total_standard_error = n * sqrt(pmax(noise_variance + truth / n, 0)),
    total_low = n * ends$low, total_high = n * ends$high,
    share = share, possible_share = if (boxes) clipped else norm_sub(share),
    simultaneous_low = together$low, simultaneous_high = together$high,
    design_effect = effect, effective_n = n / effect,
    flag = ends$high < 0 | ends$low > 1)
}
