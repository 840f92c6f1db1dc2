import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { CircleAlert, Upload } from 'lucide-react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Tooltip } from '../../../../ui/overlays/Tooltip.tsx'
import { describePublish } from './publish-words.ts'

interface ButtonProps {
  state: BlockCard['publish_state']
  faults: readonly { kind: 'missing' | 'invalid'; message: string }[]
  /** Unsaved or not yet validated changes. */
  isChanged?: boolean
  isDisabled: boolean
  onPress: () => void
}

export function PublishButton({ state, faults, isChanged = false, isDisabled, onPress }: ButtonProps) {
  const words = describePublish(isChanged && state === 'published' ? 'changed' : state, faults)
  const isOpen = words.canPublish || words.leadsToFaults
  return (
    <Tooltip text={words.note}>
      <Button
        variant={words.canPublish ? 'primary' : 'secondary'}
        icon={words.leadsToFaults ? <CircleAlert aria-hidden /> : <Upload aria-hidden />}
        disabled={isDisabled || !isOpen}
        onClick={onPress}
      >
        {words.label}
      </Button>
    </Tooltip>
  )
}
