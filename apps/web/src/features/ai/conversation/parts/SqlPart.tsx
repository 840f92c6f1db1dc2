import { BadgeCheck, ChevronRight, FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { withDetail } from '../../../../api/api-query.ts'
import { Button } from '../../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../../ui/data/CodeBlock.tsx'
import { useCreateContext } from '../../ai-projects.queries.ts'
import { useAi } from '../../use-ai.ts'
import { useConversationQuestion } from '../conversation-question.ts'
import { useOpenAsWorksheet } from '../use-open-as-worksheet.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'
import { Receipt } from './Receipt.tsx'

export function SqlPart({ part }: { part: PartOf<'sql'> }) {
  const { params, can } = useAi()
  const { question, project } = useConversationQuestion()
  const open = useOpenAsWorksheet()
  const save = useCreateContext({
    successText: 'Saved as a verified question.',
    errorText: withDetail('The verified question could not be saved.'),
  })
  const { sql, account, integration_trellis_code } = part
  const isRefused = Boolean(account?.refusal)
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const isShown = isOpen ?? isRefused
  const keep = () =>
    save.mutate({
      params,
      body: {
        project_trellis_code: project,
        kind: 'verified_question',
        name: question.slice(0, 200),
        text: '',
        sql,
        integration_trellis_code,
      },
    })
  return (
    <div role="group" aria-label="SQL" className={styles.sql}>
      <div className={styles.sqlHead}>
        <button type="button" aria-expanded={isShown} className={styles.fold} onClick={() => setOpen(!isShown)}>
          <ChevronRight aria-hidden /> SQL and receipt
        </button>
        <span className={styles.soft}>{account === null ? 'Running' : isRefused ? 'Refused' : ''}</span>
        {can('worksheets:draft') && (
          <Button
            size="sm"
            variant="ghost"
            icon={<FileCode2 aria-hidden />}
            isBusy={open.isPending}
            onClick={() => open.mutate({ sql, database: integration_trellis_code })}
          >
            Open as worksheet
          </Button>
        )}
        {can('ai:write') && account !== null && !isRefused && (
          <Button
            size="sm"
            variant="ghost"
            icon={<BadgeCheck aria-hidden />}
            isBusy={save.isPending}
            disabled={save.isSuccess}
            onClick={keep}
          >
            {save.isSuccess ? 'Verified' : 'Save as verified'}
          </Button>
        )}
      </div>
      {isShown && (
        <>
          <CodeBlock code={sql} isWrapped />
          {account && <Receipt account={account} />}
        </>
      )}
    </div>
  )
}
