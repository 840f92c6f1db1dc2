import type { RestErrorRule } from '@trellis/contract/integrations/rest-manifest'
import { type Answer, type Verdict, parseRetryAfter, quoteErrorMessage, classifyByStatus } from '../http/verdict.ts'

interface ErrorRuleContext {
  readonly platform: string
  readonly isConsent: boolean
}

/** The first matching rule decides, otherwise the status. */
export function classifyByRules(
  rules: readonly RestErrorRule[],
  surroundings: ErrorRuleContext,
): (answer: Answer) => Verdict | undefined {
  return (answer) => {
    const rule = rules.find((candidate) => matchesRule(candidate, answer))
    return rule ? toVerdict(rule, answer, surroundings) : undefined
  }
}

/** A rule without a status also matches successful ones: some APIs report errors with 200. */
function matchesRule({ status, contains }: RestErrorRule, answer: Answer): boolean {
  if (status === undefined && contains === undefined) return false
  const isStatus = status === undefined || status.includes(answer.status)
  return isStatus && (contains === undefined || answer.text.includes(contains))
}

function toVerdict(rule: RestErrorRule, answer: Answer, { platform, isConsent }: ErrorRuleContext): Verdict {
  const { kind } = rule
  if (kind === 'ignore') return { kind }
  const usual = classifyByStatus(answer, platform)
  if (kind === 'refresh_token') {
    if (isConsent) return { kind }
    const message =
      rule.message ?? `${platform} refused the credentials (${answer.status}).${quoteErrorMessage(answer.text)}`
    return { kind: 'configuration', message, advice: rule.advice ?? 'Enter the credentials again.' }
  }
  const fallback =
    'message' in usual ? usual.message : `${platform} reports a problem.${quoteErrorMessage(answer.text)}`
  const header = answer.headers.get(rule.retry_after_header ?? 'retry-after')
  return {
    kind,
    message: rule.message ?? fallback,
    advice: rule.advice ?? ('advice' in usual ? usual.advice : undefined),
    retryAfterMs: kind === 'transient' || kind === 'rate_limited' ? parseRetryAfter(header) : undefined,
  }
}
