# Mean and net promoter score of a rating scale, among those who gave a level.

# `per_person` are the same figures of what is summed over all n respondents; by default the score.
score_row <- function(quantity, n, value, noise_variance, sampling_variance, noise_error,
                      per_person = c(value, noise_variance, sampling_variance, noise_error)) {
  sampling_error <- sqrt(max(sampling_variance, 0))
  error <- sqrt(noise_error^2 + sampling_error^2)
  half <- z * sqrt(per_person[4]^2 + max(per_person[3], 0))
  data.frame(quantity = quantity, option = NA, n = n, value = value, low = value - z * error,
             high = value + z * error, noise_variance = noise_variance,
             sampling_variance = sampling_variance, noise_error = noise_error,
             sampling_error = sampling_error, standard_error = error,
             total = n * per_person[1], total_noise_variance = n^2 * per_person[2],
             total_sampling_variance = n^2 * per_person[3],
             total_standard_error = n * sqrt(max(per_person[2] + per_person[3], 0)),
             total_low = n * (per_person[1] - half), total_high = n * (per_person[1] + half))
}

net_promoters <- function(level) (level >= 9) - (level <= 6)

scale_rows <- function(d, shares) {
  levels <- d$hi - d$lo + 1
  share <- shares$share
  n <- shares$n[1]
  place <- seq_along(share) - 1
  answered <- as.numeric(place < levels)
  if (sum(answered * share) <= 0) return(NULL)
  # The sum of h share: its value, both variances, and the noise error.
  linear <- function(h) {
    noise_variance <- drop(h %*% choice_noise(d, share, n) %*% h)
    possible <- drop(h %*% choice_noise(d, norm_sub(share), n) %*% h)
    spread <- sum(h^2 * share) - sum(h * share)^2
    sampling <- if (n > 1) (spread + noise_variance) / (n - 1) else diff(range(h))^2 / 4
    c(sum(h * share), noise_variance, sampling, sqrt(max(possible, 0)))
  }
  ratio <- function(quantity, target) {
    whole <- sum(answered * share)
    value <- sum(target * share) / whole
    figures <- c(value, linear((target - value * answered) / whole)[-1])
    do.call(score_row, c(list(quantity, n), figures, list(linear(target))))
  }
  rows <- ratio("mean", answered * (d$lo + place))
  if (d$lo == 0 && levels == 11)
    rows <- rbind(rows, ratio("net_promoters", answered * net_promoters(place)))
  rows
}
