import type { SuggestedQuestion } from '@trellis/contract/ai/ai.schemas'
import { BadgeCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { useSuggestedQuestions } from '../ai-projects.queries.ts'
import { useAi } from '../use-ai.ts'
import { ContextDialog } from './ContextDialog.tsx'
import styles from './projects.module.css'

export function SuggestedQuestions({ project }: { project: string }) {
  const { params } = useAi()
  const { data } = useSuggestedQuestions(params, project)
  const [selected, setSelected] = useState<SuggestedQuestion | null>(null)
  const suggestions = data?.suggestions ?? []
  return (
    <>
      {suggestions.length > 0 && (
        <section aria-label="Suggested from worksheets" className={styles.suggestions}>
          <h3>Suggested from worksheets</h3>
          <ul className={styles.list}>
            {suggestions.map((suggestion) => {
              const { question, sql, runs, people } = suggestion
              const name = question || 'Untitled query'
              return (
                <li key={sql} className={styles.context}>
                  <div className={styles.contextText}>
                    <strong>{name}</strong>
                    <p>
                      {`Run ${formatCount(runs, 'time')} in the last ${data?.days ?? 0} days${people > 1 ? ` by ${people} people` : ''}.`}
                    </p>
                    <code>{sql}</code>
                  </div>
                  <Button
                    size="sm"
                    icon={<BadgeCheck aria-hidden />}
                    aria-label={`Add ${name} as verified question`}
                    onClick={() => setSelected(suggestion)}
                  >
                    Add
                  </Button>
                </li>
              )
            })}
          </ul>
        </section>
      )}
      {selected && <ContextDialog project={project} suggestion={selected} onClose={() => setSelected(null)} />}
    </>
  )
}
