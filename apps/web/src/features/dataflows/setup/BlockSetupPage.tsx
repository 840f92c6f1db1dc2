import { lazy, Suspense } from 'react'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Page } from '../../../ui/layout/Page.tsx'

/** Asked for along with the page, so that it is on its way while the page is drawn. */
const part = import('./BlockSetup.tsx')
const BlockSetup = lazy(() => part)

export function Component() {
  return (
    <Suspense fallback={<Ghost />}>
      <BlockSetup />
    </Suspense>
  )
}

function Ghost() {
  return (
    <Page>
      <Loading label="Loading the block">
        <Skeleton height={220} />
      </Loading>
    </Page>
  )
}
