import { CirclePlay } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'

export function NoBlocks({ firstStep }: { firstStep: ReactNode }) {
  return (
    <EmptyState
      icon={<CirclePlay aria-hidden />}
      title="No blocks yet"
      subtitle="Once this dataflow has blocks, their runs are drawn here."
      action={firstStep}
    />
  )
}
