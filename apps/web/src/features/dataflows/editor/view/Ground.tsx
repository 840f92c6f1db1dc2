import type { ComponentProps } from 'react'
import { Dots } from './Dots.tsx'
import OverviewArrows from './OverviewArrows.tsx'

export default function CommandContext({
  isOverview,
  ...arrows
}: ComponentProps<typeof OverviewArrows> & { isOverview: boolean }) {
  return isOverview ? <OverviewArrows {...arrows} /> : <Dots />
}
