import type { ExternalProfile, Secret } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { RadioGroup } from '../../../ui/forms/Choices.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useRotateExternal } from '../database-admin.queries.ts'

interface RotateProps {
  scope: AdminScope
  profile: ExternalProfile
  onSecret: (secret: z.infer<typeof Secret>) => void
  onClose: () => void
}

const OVERLAPS = [
  { value: '0', label: 'Revoke immediately', hint: 'Open connections are closed. For a leaked login.' },
  { value: '60', label: 'One hour' },
  { value: '1440', label: 'One day', hint: 'Enough to change the tool without downtime.' },
  { value: '10080', label: 'Seven days' },
]

export function RotateDialog({ scope, profile, onSecret, onClose }: RotateProps) {
  const rotate = useRotateExternal()
  const [overlap, setOverlap] = useState('1440')
  const send = () =>
    rotate.mutate(
      {
        params: scope.address,
        body: {
          integration_trellis_code: scope.database,
          profile_trellis_code: profile.profile_trellis_code,
          overlap_minutes: Number(overlap),
        },
      },
      {
        onSuccess: ({ secret }) => {
          onSecret(secret)
          onClose()
        },
      },
    )
  return (
    <Dialog
      title={`Rotate the login of ${profile.name}`}
      isLocked={rotate.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={rotate.isPending}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={rotate.isPending} onClick={send}>
            Rotate
          </Button>
        </>
      }
    >
      <RadioGroup
        label="How long should the old login keep working?"
        options={OVERLAPS}
        value={overlap}
        onChange={setOverlap}
      />
      {rotate.isError && <Banner tone="danger">{rotate.error.message}</Banner>}
    </Dialog>
  )
}
