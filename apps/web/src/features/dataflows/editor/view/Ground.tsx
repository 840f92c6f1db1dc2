import type { ComponentProps } from 'react'
import { Dots } from './Dots.tsx'
import OverviewArrows from './OverviewArrows.tsx'

/** What lies around the blocks: dots, and from afar the arrows. */
export default function Ground({
  isOverview,
  ...arrows
}: ComponentProps<typeof OverviewArrows> & { isOverview: boolean }) {
  return isOverview ? <OverviewArrows {...arrows} /> : <Dots />
}
