# Mean and net promoter score of a rating scale, among those who gave a level.

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
