import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { DisableSecondFactorDialog } from './DisableSecondFactorDialog.tsx'
import styles from './profile.module.css'
import { RenewRecoveryCodesDialog } from './RenewRecoveryCodesDialog.tsx'
import { useSecondFactor } from './second-factor.queries.ts'
import { SetUpSecondFactorDialog } from './SetUpSecondFactorDialog.tsx'

const LOW_ON_CODES = 3

export function SecondFactorCard() {
  const status = useSecondFactor()
  const [dialog, setDialog] = useState<'on' | 'off' | 'codes' | null>(null)
  const close = () => setDialog(null)
  if (status.isError) {
    return (
      <ErrorPanel
        title="Two-factor sign-in could not be loaded"
        detail={status.error.message}
        reference={status.error.requestId}
        isRetrying={status.isFetching}
        onRetry={() => void status.refetch()}
      />
    )
  }
  const isOn = status.data?.enabled === true
  return (
    <Card
      title="Two-factor sign-in"
      subtitle="A code from an authenticator app, asked for after your password."
      actions={status.data && <StatusDot tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</StatusDot>}
      footer={
        status.isPending ? (
          <span className={styles.ghostButton} />
        ) : isOn ? (
          <>
            <Button onClick={() => setDialog('codes')}>New recovery codes…</Button>
            <Button onClick={() => setDialog('off')}>Turn off…</Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setDialog('on')}>
            Set up…
          </Button>
        )
      }
    >
      {status.isPending ? (
        <Loading label="Loading two-factor sign-in" className={styles.ghostLine}>
          <Skeleton width="60%" />
        </Loading>
      ) : isOn ? (
        <RecoveryNote left={status.data.recovery_codes_left} />
      ) : (
        <p className={styles.text}>With it on, a stolen password alone does not open your profile.</p>
      )}
      {dialog === 'on' && <SetUpSecondFactorDialog onClose={close} />}
      {dialog === 'codes' && <RenewRecoveryCodesDialog onClose={close} />}
      {dialog === 'off' && <DisableSecondFactorDialog onClose={close} />}
    </Card>
  )
}

function RecoveryNote({ left }: { left: number }) {
  return (
    <p className={styles.text}>
      {left} recovery {left === 1 ? 'code' : 'codes'} left.
      {left < LOW_ON_CODES && ' Make new ones before they run out.'}
    </p>
  )
}
