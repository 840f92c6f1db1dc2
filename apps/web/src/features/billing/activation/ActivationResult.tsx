import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { findPageSetting } from '../../../app/page-setting.ts'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Reference } from '../../../ui/feedback/ErrorPanel.tsx'
import { FullNotice } from '../../../ui/feedback/FullNotice.tsx'
import styles from './activation.module.css'

function BackToWorkspaces() {
  return <ButtonLink to="/workspaces">Back to workspace selection</ButtonLink>
}

/** `isWaiting`: the provider has not confirmed the payment yet. */
export function Activating({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div role="status">
      <FullNotice icon={<LoaderCircle className={styles.turning} />} tone="accent" title="Activating plan...">
        <p>
          {isWaiting
            ? 'Waiting for the payment provider to confirm your payment. This can take half a minute.'
            : 'This takes a moment. Please leave this page open.'}
        </p>
      </FullNotice>
    </div>
  )
}

export function Activated({ text, action }: { text: string; action: ReactNode }) {
  return (
    <div role="status">
      <FullNotice
        icon={<CircleCheck />}
        tone="success"
        title="Plan activated"
        actions={
          <>
            {action}
            <BackToWorkspaces />
          </>
        }
      >
        <p>{text}</p>
      </FullNotice>
    </div>
  )
}

export function ActivationFailed({
  text,
  reference,
  action,
}: {
  text: string
  reference?: string | undefined
  action?: ReactNode
}) {
  const support = findPageSetting('support')
  return (
    <div role="alert">
      <FullNotice
        icon={<CircleX />}
        tone="danger"
        title="Plan activation failed"
        actions={
          <>
            {action}
            <BackToWorkspaces />
          </>
        }
      >
        <p>{text}</p>
        <p>
          If this keeps happening, please contact support
          {support && (
            <>
              {' '}
              at <a href={`mailto:${support}`}>{support}</a>
            </>
          )}
          .
        </p>
        {reference && <Reference id={reference} />}
      </FullNotice>
    </div>
  )
}
