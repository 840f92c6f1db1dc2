import type { PlannedChange } from '@trellis/contract/database-admin/database-admin.schemas'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import type { AdminScope } from './admin-scope.ts'
import { useSqlPlan } from './database-admin.queries.ts'
import styles from './database-admin.module.css'

interface PlanProps {
  scope: AdminScope
  /** Null while the form is incomplete. */
  change: z.input<typeof PlannedChange> | null
}

const NOTHING: z.input<typeof PlannedChange> = {
  kind: 'firewall',
  firewall: { integration_trellis_code: '-', rules: [] },
}

export function SqlPlan({ scope, change }: PlanProps) {
  const [isOpen, setOpen] = useState(false)
  const plan = useSqlPlan(scope, change ?? NOTHING, isOpen && change !== null)
  return (
    <details
      className={styles.plan}
      open={isOpen}
      onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}
    >
      <summary>
        <ChevronRight aria-hidden />
        SQL that will run
      </summary>
      {!isOpen ? null : change === null ? (
        <p className={styles.note}>Fill in the form to see it.</p>
      ) : plan.isError ? (
        <Banner tone="danger">{plan.error.message}</Banner>
      ) : plan.data === undefined ? (
        <Skeleton height={60} />
      ) : plan.data.statements.length === 0 ? (
        <p className={styles.note}>Nothing changes in the database.</p>
      ) : (
        <CodeBlock title="SQL" code={plan.data.statements.join('\n')} />
      )}
    </details>
  )
}
