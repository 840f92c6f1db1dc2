import { lazy, Suspense } from 'react'
import { SetupGhost } from './SetupGhost.tsx'

/** Asked for along with the page, so that it is on its way while the page is drawn. */
const part = import('./BlockSetup.tsx')
const BlockSetup = lazy(() => part)

export function Component() {
  return (
    <Suspense fallback={<SetupGhost />}>
      <BlockSetup />
    </Suspense>
  )
}
