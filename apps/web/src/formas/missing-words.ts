import { REQUIRED } from '@trellis/contract/formas/forma-rules'
import type { FormaForm } from './use-forma.ts'

type FormaCompletion = Pick<FormaForm, 'forma' | 'problems' | 'isComplete'>

/** Why the form can't be submitted, as a sentence. */
export function describeMissing(
  { forma, problems, isComplete }: FormaCompletion,
  others: readonly string[] = [],
): string | undefined {
  const labels = new Map<string, string>(
    forma.sections.flatMap((section) =>
      section.elements.map((element): [string, string] => [`${section.reference}.${element.reference}`, element.label]),
    ),
  )
  const named = (isMissing: boolean) =>
    Object.entries(problems)
      .filter(([, problem]) => (problem === REQUIRED) === isMissing)
      .map(([name]) => labels.get(name) ?? name)
  const missing = [...others, ...named(true)]
  const wrong = named(false)
  const sentences = [
    ...(missing.length > 0 ? [`Still to fill in: ${joinNames(missing)}.`] : []),
    ...(wrong.length > 0 ? [`Not right yet: ${joinNames(wrong)}.`] : []),
  ]
  if (sentences.length > 0) return sentences.join(' ')
  return isComplete ? undefined : 'The description of the source is not complete yet.'
}

const joinNames = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names)
