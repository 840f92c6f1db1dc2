import { GETTING_STARTED, type Dashboard, type GettingStartedStep } from '@trellis/contract/dashboard/dashboard.schemas'
import type { Permission } from '@trellis/contract/core/permissions'
import { Check, Circle, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from './getting-started.module.css'
import { DATA_WAYS, FirstData } from './FirstData.tsx'
import type { HomeScope } from './use-home-scope.ts'

interface Step {
  title: string
  text: string
  permission: Permission
  to: (scope: HomeScope, database: string) => string
}

const STEPS: Record<GettingStartedStep, Step> = {
  data: {
    title: 'Add data',
    text: 'Upload a file, or connect a database or an app.',
    permission: 'uploads:write',
    to: ({ root }, database) => `${root}/explorer/${encodeURIComponent(database)}`,
  },
  query: {
    title: 'Run a query',
    text: 'Write SQL in a worksheet and see its rows and chart.',
    permission: 'sql:run',
    to: ({ root }) => `${root}/explorer/worksheets`,
  },
  dataflow: {
    title: 'Publish a dataflow',
    text: 'Load and transform data on a schedule.',
    permission: 'dataflows:write',
    to: ({ root }) => `${root}/dataflows`,
  },
  question: {
    title: 'Ask a question',
    text: 'The assistant answers with a table, a chart and the SQL behind it.',
    permission: 'ai:use',
    to: ({ root }) => `${root}/ai`,
  },
  invite: {
    title: 'Invite a colleague',
    text: 'Everybody gets a role in each workspace.',
    permission: 'members:write',
    to: ({ params }) => `/${params.account_trellis_code}/settings?tab=members`,
  },
}

export function GettingStarted({ dashboard, scope }: { dashboard: Dashboard; scope: HomeScope }) {
  const key = `trellis.getting-started.${scope.root}`
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(key) !== null)
  const steps = GETTING_STARTED.filter((step) => scope.can(STEPS[step].permission))
  const done = steps.filter((step) => dashboard.getting_started[step]).length
  const isEmpty = !dashboard.getting_started.data && DATA_WAYS.some(({ permission }) => scope.can(permission))
  const listed = isEmpty ? steps.filter((step) => step !== 'data') : steps
  if (isDismissed || done === steps.length) return null
  const dismiss = () => {
    localStorage.setItem(key, 'dismissed')
    setDismissed(true)
  }
  return (
    <Card
      title="Get started"
      subtitle={`${done} of ${steps.length} done`}
      actions={<IconButton label="Dismiss the first steps" icon={<X aria-hidden />} onClick={dismiss} />}
    >
      {isEmpty && <FirstData scope={scope} database={dashboard.managed_database} />}
      <ol className={styles.steps} aria-label="Get started">
        {listed.map((step) => {
          const isDone = dashboard.getting_started[step]
          const { title, text, to } = STEPS[step]
          return (
            <li key={step} data-done={isDone}>
              <Link to={to(scope, dashboard.managed_database)}>
                {isDone ? <Check aria-label="Done" /> : <Circle aria-hidden />}
                <span>
                  <strong>{title}</strong>
                  <span>{text}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
