import type { Problem, ValidationStatus } from '@trellis/contract/integrations/integrations.schemas'
import type { ReactNode } from 'react'
import { Button } from '../ui/actions/Button.tsx'
import { Banner } from '../ui/feedback/Banner.tsx'
import styles from './connecting.module.css'

const KINDS: Record<Problem['kind'], string> = {
  configuration: 'A setting is not right',
  transient: 'The other side did not answer as it should',
  rate_limited: 'The other side asks to wait',
  system: 'Something went wrong in Trellis',
}

const problemTitle = ({ kind }: Problem): string => KINDS[kind]

interface PanelProps {
  status: ValidationStatus
  onCheck?: (() => void) | undefined
  isChecking: boolean
  onShowField?: ((field: string) => void) | undefined
  next?: ReactNode
}

export function ValidationPanel({ status, onCheck, isChecking, onShowField, next }: PanelProps) {
  if (status.status === 'VALIDATING' || isChecking) {
    return (
      <div className={styles.checking} role="status">
        <span className={styles.checkingBar} aria-hidden />
        <strong>Testing the connection</strong>
        <span>Trellis signs in there and looks at what is to be found. This takes a few seconds.</span>
      </div>
    )
  }
  if (status.status === 'COMPLETED_SUCCESS') {
    return (
      <Banner tone="success" title="The connection works" action={next}>
        {status.found.length > 0 && (
          <dl className={styles.found}>
            {status.found.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Banner>
    )
  }
  if (status.status === 'COMPLETED_ERROR' && status.problem) {
    return (
      <ProblemBanner problem={status.problem} onShowField={onShowField}>
        {onCheck && (
          <Button size="sm" onClick={onCheck}>
            Test connection
          </Button>
        )}
      </ProblemBanner>
    )
  }
  return null
}

export function ProblemBanner({
  problem,
  onShowField,
  children,
}: {
  problem: Problem
  onShowField?: ((field: string) => void) | undefined
  children?: ReactNode
}) {
  const { field } = problem
  return (
    <Banner
      tone={problem.kind === 'transient' || problem.kind === 'rate_limited' ? 'warning' : 'danger'}
      title={problemTitle(problem)}
      action={
        <>
          {field && onShowField && (
            <Button size="sm" onClick={() => onShowField(field)}>
              Show the field
            </Button>
          )}
          {children}
        </>
      }
    >
      <span>{problem.message}</span>
      {problem.advice && <span> {problem.advice}</span>}
    </Banner>
  )
}
