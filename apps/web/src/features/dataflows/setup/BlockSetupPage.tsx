import { lazy, Suspense } from 'react'
import { SetupGhost } from './SetupGhost.tsx'

/** Prefetched beside the data. */
const part = import('./BlockSetup.tsx')
const BlockSetup = lazy(() => part)

export function Component() {
  return (
    <Suspense fallback={<SetupGhost />}>
      <BlockSetup />
    </Suspense>
  )
}
