import { Plug, Plus } from 'lucide-react'
import { Button } from '../actions/Button.tsx'
import { Banner } from '../feedback/Banner.tsx'
import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorPanel } from '../feedback/ErrorPanel.tsx'
import { ProgressBar, Stepper, UsageBar } from '../feedback/Meters.tsx'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { Badge, StatusDot } from '../feedback/Status.tsx'
import { showToast } from '../feedback/toasts.ts'
import { Sample } from './Sample.tsx'

const formatGigabytes = (value: number) => `${value} GB`

export function FeedbackSamples() {
  return (
    <>
      <Sample title="StatusDot and Badge">
        <StatusDot tone="success">Online</StatusDot>
        <StatusDot tone="info" isBusy>
          Running
        </StatusDot>
        <StatusDot tone="warning">Late</StatusDot>
        <StatusDot tone="danger">Failed</StatusDot>
        <StatusDot>Unavailable</StatusDot>
        <Badge>Team</Badge>
        <Badge tone="accent">Owner</Badge>
        <Badge tone="success">Paid</Badge>
        <Badge tone="warning">Open</Badge>
        <Badge tone="danger">Cancelled</Badge>
        <Badge tone="info">Draft</Badge>
      </Sample>
      <Sample title="Banner" isColumn>
        <Banner title="Your profile is activated" tone="success" onDismiss={() => undefined}>
          Welcome to Trellis.
        </Banner>
        <Banner>A new version is ready and loads with the next page.</Banner>
        <Banner tone="warning">3 days left until plan expires.</Banner>
        <Banner tone="danger">Failed to delete workspace. Please try again.</Banner>
      </Sample>
      <Sample title="Toasts">
        <Button onClick={() => showToast({ tone: 'success', text: 'Changes successfully saved.' })}>Saved</Button>
        <Button
          onClick={() =>
            showToast({
              tone: 'danger',
              text: 'Failed to add workspace. Please try again.',
              detail: 'The address is taken.',
            })
          }
        >
          Failed
        </Button>
        <Button
          onClick={() => showToast({ text: 'Dataflow deleted.', action: { label: 'Undo', onSelect: () => undefined } })}
        >
          With undo
        </Button>
        <Button onClick={() => showToast({ tone: 'warning', place: 'centre', text: 'Your plan ends in 3 days.' })}>
          Bottom centre
        </Button>
      </Sample>
      <Sample title="EmptyState" isColumn>
        <EmptyState
          icon={<Plug />}
          title="Connect your first source"
          subtitle="Bring in a database, an ads account or a file. What you type in is encrypted and never shown again."
          action={
            <Button variant="primary" icon={<Plus aria-hidden />}>
              Add integration
            </Button>
          }
        />
      </Sample>
      <Sample title="ErrorPanel" isColumn>
        <ErrorPanel
          title="Your workspaces could not be loaded"
          detail="The service is not available right now."
          reference="req-7f3a9c"
          onRetry={() => undefined}
        />
      </Sample>
      <Sample title="UsageBar, ProgressBar, Stepper" isColumn>
        <UsageBar label="Database storage" used={12} limit={50} format={formatGigabytes} />
        <UsageBar label="Prompt credits" used={420} limit={500} />
        <UsageBar label="Prompt credits" used={500} limit={500} />
        <ProgressBar label="Spinning up your database..." share={0.42} />
        <Stepper steps={['Emails', 'Access level', 'Workspace roles']} current={1} />
      </Sample>
      <Sample title="Skeleton" isColumn>
        <Skeleton width="70%" />
        <Skeleton width="45%" />
      </Sample>
    </>
  )
}
