import type { BusinessContext } from '@trellis/contract/ai/ai.schemas'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useBusinessContexts, useDeleteContext } from '../ai-projects.queries.ts'
import { Pager } from '../Pager.tsx'
import { useAi } from '../use-ai.ts'
import { CONTEXT_TEXTS } from './context-words.ts'
import styles from './projects.module.css'

const SuggestedQuestions = lazy(async () => ({
  default: (await import('./SuggestedQuestions.tsx')).SuggestedQuestions,
}))
const ContextDialog = lazy(async () => ({ default: (await import('./ContextDialog.tsx')).ContextDialog }))

export function ContextCard({ project }: { project: string }) {
  const { params, can } = useAi()
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const contexts = useBusinessContexts(params, page)
  return (
    <Card
      isFlush
      title="Business context"
      subtitle="Definitions, metrics, synonyms and verified questions that every answer uses."
      actions={
        can('ai:write') && (
          <Button size="sm" icon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
            Add context
          </Button>
        )
      }
    >
      <Loaded query={contexts} subject="The business context" skeletonHeights={[72]}>
        {({ items, pages }) => {
          const shown = items.filter(
            ({ project_trellis_code }) => project_trellis_code === null || project_trellis_code === project,
          )
          return (
            <>
              {shown.length === 0 && (
                <p className={styles.empty}>
                  No business context yet. Add what “active customer” or “revenue” means for you, or a question with its
                  SQL.
                </p>
              )}
              <ul aria-label="Business context" className={styles.list}>
                {shown.map((context) => (
                  <ContextLine key={context.context_trellis_code} project={project} context={context} />
                ))}
              </ul>
              <Pager page={page} pages={pages} onPage={setPage} />
            </>
          )
        }}
      </Loaded>
      <Suspense>{can('ai:write') && <SuggestedQuestions project={project} />}</Suspense>
      <Suspense>{isAdding && <ContextDialog project={project} onClose={() => setAdding(false)} />}</Suspense>
    </Card>
  )
}

function ContextLine({ project, context }: { project: string; context: BusinessContext }) {
  const { params, can } = useAi()
  const remove = useDeleteContext()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const { context_trellis_code, kind, name, text, sql, problem, project_trellis_code } = context
  return (
    <li className={styles.context}>
      <div className={styles.contextText}>
        <strong>{name}</strong>
        <Badge>{CONTEXT_TEXTS[kind].kind}</Badge> {project_trellis_code === null && <Badge>Every project</Badge>}
        {text !== '' && <p>{text}</p>}
        {sql !== null && <code>{sql}</code>}
        {problem !== null && <p className={styles.problem}>Not used at the moment: {problem}</p>}
      </div>
      {can('ai:write') && (
        <RowActions
          label={`Actions for ${name}`}
          groups={[
            [{ label: 'Edit', onSelect: () => setDialog('edit') }],
            [{ label: 'Delete', isDanger: true, onSelect: () => setDialog('delete') }],
          ]}
        />
      )}
      <Suspense>
        {dialog === 'edit' && <ContextDialog project={project} context={context} onClose={() => setDialog(null)} />}
      </Suspense>
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          isBusy={remove.isPending}
          onConfirm={() =>
            remove.mutate({ params: { ...params, context_trellis_code } }, { onSuccess: () => setDialog(null) })
          }
          onClose={() => setDialog(null)}
        >
          <p>Answers from now on do without it. Earlier answers stay as they are.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
