# Compare groups. They are public and their reports went through the same randomizer, so the shares
# are equal if the reported shares are: the test is the ordinary one, on the reports. Only intervals
# need p and q.

# compare("smokes") puts the groups side by side, with the difference of every two of them.
# `by` is the group, a factor such as reports[["arm"]], or anything that is known of every row. With
# parts = c(north = 0.3, south = 0.7), the known parts of the groups in the population, the figures
# of that population come on top (post-stratification). Raking to several margins is in
# `candor compare` alone.
compare <- function(question, by = own_group(), parts = NULL) {
  d <- design_of(question)
  asked <- reports[[question]] != "null" & !is.na(by)
  groups <- as.character(by)[asked]
  groups <- factor(ifelse(groups == "", "(none)", groups))
  if (nlevels(groups) < 2) stop("compare() needs reports of at least two groups", call. = FALSE)
  if (!is.null(parts)) parts <- checked_parts(parts, levels(groups))
  if (is_number(d) && has_silence(d)) {
    if (!is.null(parts)) stop("only `candor compare` weights a number that can be declined",
                              call. = FALSE)
    compare_means(answered_scores(d, reports[[question]][asked], groups), groups, NULL)
  } else if (is_number(d)) compare_means(scores_of(question)[asked, 1], groups, parts)
  else compare_shares(d, supports_of(question)[asked, , drop = FALSE], groups, parts)
}

# The parts of the groups that have reports, scaled to sum to one.
checked_parts <- function(parts, groups) {
  missing <- setdiff(groups, names(parts))
  if (length(missing)) stop("`parts` has no part for the group ", missing[1], call. = FALSE)
  if (any(parts < 0) || abs(sum(parts) - 1) > 0.001)
    stop("`parts` must be from 0 to 1 and sum to 1", call. = FALSE)
  parts[groups] / sum(parts[groups])
}

# The figure of a population in which every group has its part.
weighted_row <- function(parts, n, value, variance) {
  error <- sqrt(sum(parts^2 * variance))
  mean <- sum(parts * value)
  data.frame(n = sum(n), value = mean, standard_error = error, low = mean - z * error,
             high = mean + z * error, effective_n = 1 / sum(parts^2 / n))
}

compare_shares <- function(d, y, groups, parts) {
  ch <- channel(d)
  # The second share of two is what the first one leaves.
  shown <- if (ncol(y) == 2 && !d$mechanism %in% c("smp", "privset")) 2 else seq_len(ncol(y))
  heading <- function(at) data.frame(option = at - 1, label = labels_of(d$question)[at])
  counted <- function(at, group) {
    reported <- y[groups == group, at]
    c(sum(reported, na.rm = TRUE), sum(!is.na(reported)))
  }
  shares <- table_of(levels(groups), shown, function(group, at) {
    found <- counted(at, group)
    ends <- wilson(found[1], found[2], ch, z)
    data.frame(group = group, heading(at), n = found[2], share = debias(found[1] / found[2], ch),
               low = ends$low, high = ends$high)
  })
  pairs <- pairs_of(groups)
  tail <- (1 - pnorm(z)) / (length(pairs) * length(shown))
  differences <- table_of(pairs, shown, function(pair, at) {
    first <- counted(at, pair[1])
    second <- counted(at, pair[2])
    data.frame(group_1 = pair[1], group_2 = pair[2], heading(at),
               difference_of(first, second, ch, qnorm(1 - tail)))
  })
  differences$holm <- p.adjust(differences$p_value, "holm")
  weighted <- if (!is.null(parts)) table_of(shown, 1, function(at, ignored) {
    found <- vapply(levels(groups), function(group) counted(at, group), c(0, 0))
    n <- found[2, ]
    reported <- found[1, ] / n
    alpha <- unname(ch["p"] - ch["q"])
    variance <- reported * (1 - reported) / ((n - 1) * alpha^2)
    cbind(heading(at), weighted_row(parts, n, debias(reported, ch), variance))
  })
  tables(shares = shares, differences = differences, note = pairs_note(nrow(differences)),
         test_of_all_groups = between_groups(d, y, groups), weighted_by_parts = weighted)
}

compare_means <- function(score, groups, parts) {
  if (min(table(groups)) < 2) stop("every group needs at least two reports", call. = FALSE)
  means <- table_of(levels(groups), 1, function(group, ignored) {
    x <- score[groups == group]
    error <- sd(x) / sqrt(length(x))
    t <- qt(pnorm(z), length(x) - 1)
    data.frame(group = group, n = length(x), mean = mean(x), standard_error = error,
               low = mean(x) - t * error, high = mean(x) + t * error)
  })
  pairs <- pairs_of(groups)
  level <- 1 - 2 * (1 - pnorm(z)) / length(pairs)
  differences <- table_of(pairs, 1, function(pair, ignored) {
    found <- t.test(score[groups == pair[1]], score[groups == pair[2]], conf.level = level)
    data.frame(group_1 = pair[1], group_2 = pair[2], difference = -diff(unname(found$estimate)),
               low = found$conf.int[1], high = found$conf.int[2], t = unname(found$statistic),
               p_value = found$p.value)
  })
  differences$holm <- p.adjust(differences$p_value, "holm")
  welch <- oneway.test(score ~ groups)
  weighted <- if (!is.null(parts))
    weighted_row(parts, means$n, means$mean, means$standard_error^2)
  tables(means = means, differences = differences, note = pairs_note(nrow(differences)),
         test_of_all_groups = data.frame(
           F = unname(welch$statistic), df_1 = unname(welch$parameter[1]),
           df_2 = unname(welch$parameter[2]), p_value = welch$p.value),
         weighted_by_parts = weighted)
}

table_of <- function(rows, columns, row) do.call(rbind, unlist(
  lapply(rows, function(first) lapply(columns, function(second) row(first, second))),
  recursive = FALSE))

pairs_of <- function(groups) combn(levels(groups), 2, simplify = FALSE)

pairs_note <- function(count) if (count > 1) sprintf(
  "The intervals of all %d differences hold together; holm is p_value adjusted for as many.", count)

# Of c1 of n1 reports and c2 of n2: the difference and the ratio of the shares. If few reports are
# expected in some cell, the p-value is Fisher's exact one.
difference_of <- function(first, second, ch, z) {
  n <- c(first[2], second[2])
  if (min(n) == 0)
    return(data.frame(difference = NA, low = NA, high = NA, ratio = NA, ratio_low = NA,
                      ratio_high = NA, z = NA, p_value = NA, test = "nobody asked"))
  reported <- c(first[1], second[1]) / n
  pooled <- (first[1] + second[1]) / sum(n)
  alpha <- unname(ch["p"] - ch["q"])
  spread <- pooled * (1 - pooled) * sum(1 / n)
  statistic <- if (isTRUE(spread > 0)) (reported[1] - reported[2]) / sqrt(spread) else 0
  few <- isTRUE(min(n) * min(pooled, 1 - pooled) < 5)
  counts <- rbind(first, second)
  p_value <- if (few) fisher.test(cbind(counts[, 1], counts[, 2] - counts[, 1]))$p.value
             else 2 * pnorm(-abs(statistic))
  ends <- score_ends(first, second, z) / alpha
  share <- debias(reported, ch)
  limits <- fieller(share, ratio_variance(reported, n, z) / alpha^2, z)
  data.frame(difference = (reported[1] - reported[2]) / alpha, low = ends[1], high = ends[2],
             ratio = if (isTRUE(share[2] > 0)) share[1] / share[2] else NA,
             ratio_low = max(limits[1], 0), ratio_high = max(limits[2], 0), z = statistic,
             p_value = p_value, test = if (few) "fisher" else "score")
}

# The variances of two reported shares. If fewer than 5 reports are on one side, z^2 are added.
ratio_variance <- function(reported, n, z) {
  added <- (n * reported + z^2 / 2) / (n + z^2)
  ifelse(n * pmin(reported, 1 - reported) < 5 - 1e-9, added * (1 - added) / (n + z^2),
         reported * (1 - reported) / (n - 1))
}

# All differences of the two reported shares that the score test does not reject (Mee's interval).
score_ends <- function(first, second, z) {
  seen <- first[1] / first[2] - second[1] / second[2]
  beyond <- function(d) (seen - d)^2 - z^2 * score_variance(first, second, d)
  end <- function(limit) if (abs(limit - seen) < 1e-12) limit
    else uniroot(beyond, sort(c(limit, seen)), tol = 1e-13)$root
  c(end(-1), end(1))
}

# The variance of the difference at the likeliest reported shares that differ by d: a cubic's root.
score_variance <- function(first, second, d) {
  n <- first[2] + second[2]
  c <- first[1] + second[1]
  l2 <- (first[2] + 2 * second[2]) * d - n - c
  l1 <- (second[2] * d - n - 2 * second[1]) * d + c
  l0 <- second[1] * d * (1 - d)
  t <- l2^3 / (3 * n)^3 - l1 * l2 / (6 * n^2) + l0 / (2 * n)
  u <- sign(t) * sqrt(max(l2^2 / (3 * n)^2 - l1 / (3 * n), 0))
  angle <- if (u == 0) pi / 2 else acos(max(-1, min(1, t / u^3)))
  lower <- clip(2 * u * cos((pi + angle) / 3) - l2 / (3 * n))
  upper <- clip(lower + d)
  upper * (1 - upper) / first[2] + lower * (1 - lower) / second[2]
}

# Fieller's interval of a ratio of two shares. It has no upper end if the second share may be 0.
fieller <- function(share, variance, z) {
  a <- share[2]^2 - z^2 * variance[2]
  b <- share[1] * share[2]
  c <- share[1]^2 - z^2 * variance[1]
  if (is.na(a)) return(c(NA, NA))
  root <- sqrt(max(b^2 - a * c, 0))
  if (a > 0) return((b + c(-root, root)) / a)
  ends <- if (a < 0) sort((b + c(-root, root)) / a) else c(-Inf, c / (2 * b))
  apart <- b^2 > a * c && ends[1] < 0 && ends[2] > 0
  c(if (apart) ends[2] else -Inf, Inf)
}

# Whether all groups are alike, in all options at once: Pearson's test if reports name one option.
between_groups <- function(d, y, groups) {
  # For longer lists the matrices would be too large.
  if (ncol(y) > 500) return(NULL)
  if (d$mechanism %in% c("smp", "privset")) return(independence(model.matrix(~ groups - 1), y))
  middle <- colMeans(y)
  spread <- pseudo_inverse(report_spread(d, y))
  parts <- vapply(levels(groups), function(one) {
    gap <- colMeans(y[groups == one, , drop = FALSE]) - middle
    sum(groups == one) * drop(gap %*% spread$inverse %*% gap)
  }, 0)
  chi_square_test(sum(parts), (nlevels(groups) - 1) * spread$rank)
}

# The covariance of what one report supports.
report_spread <- function(d, y) {
  ch <- channel(d)
  share <- debias(colMeans(y), ch)
  unname(ch["p"] - ch["q"])^2 * (choice_noise(d, share, 1) + diag(share) - outer(share, share))
}
