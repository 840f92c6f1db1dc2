import { useEffect } from 'react'
import { Outlet, useLocation, useMatches } from 'react-router'
import { showToast } from '../ui/feedback/toasts.ts'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { rememberPage } from './palette/recent.ts'
import { consumeNotice } from './session/handover.ts'
import { useBreadcrumbNames } from './shell/breadcrumb-names.ts'
import { buildCrumbs, documentTitle } from './shell/page-handle.ts'

export function Root() {
  const matches = useMatches()
  useBreadcrumbNames()
  const { pathname } = useLocation()
  const title = documentTitle(matches)
  const page = buildCrumbs(matches).at(-1)?.label
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (page !== undefined && page !== 'Not found' && pathname !== '/initialize-profile')
      rememberPage({ title: page, path: pathname })
    const notice = consumeNotice()
    if (notice) showToast({ text: notice.text, tone: notice.tone === 'error' ? 'danger' : notice.tone })
  }, [pathname, page])
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

export function RootFallback() {
  return (
    <div className="boot" aria-busy="true">
      <div className="boot-nav" />
      <div className="boot-sheet">
        <div className="boot-bar" />
      </div>
    </div>
  )
}
