import { useActionChoices, useActions, useResources } from '../actions/actions.queries.ts'
import { useAi } from '../use-ai.ts'
import { filterSuggestions, type Suggestion, type Trigger } from './find-trigger.ts'

export function useSuggestions(trigger: Trigger | null): Suggestion[] {
  const { params } = useAi()
  const { data: actions } = useActions(params, { isNeeded: trigger?.kind === 'action' })
  const { data: action } = useActionChoices(params, trigger?.kind === 'argument' ? trigger.action : null)
  const { data: resources } = useResources(params, { isNeeded: trigger?.kind === 'resource' })
  if (!trigger) return []
  switch (trigger.kind) {
    case 'action':
      return filterSuggestions(
        (actions?.actions ?? []).map(({ action_type, description, argument }) => ({
          id: action_type,
          label: `/${action_type}`,
          note: description,
          insert: `/${action_type}${argument.kind === 'none' ? '' : ' '}`,
        })),
        `/${trigger.inputText}`,
      )
    case 'argument':
      return filterSuggestions(
        (action?.choices ?? []).map(({ value, label, description }) => ({
          id: value,
          label,
          note: description,
          insert: label,
        })),
        trigger.inputText,
      ).filter(({ label }) => label !== trigger.inputText)
    case 'resource':
      return filterSuggestions(
        (resources?.resources ?? []).map(({ resource_type, path, label }) => ({
          id: path,
          label,
          note: resource_type,
          insert: `@${label} `,
        })),
        trigger.inputText,
      )
  }
}
