import { CircleAlert, Compass, DoorClosed, RotateCw } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useRouteError } from 'react-router'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { Reference } from '../../ui/feedback/ErrorPanel.tsx'
import { reportError } from '../reporting/report.ts'
import { toErrorFacts, GENERIC_TEXT, GENERIC_TITLE, isStaleBuild, getSupportAddress } from './error-facts.ts'
import styles from './errors.module.css'

const RELOADED_KEY = 'trellis.reloaded-at'
const RELOAD_AGAIN_AFTER_MS = 60_000

/** A chunk that fails to load after an upgrade reloads the page, at most once a minute. */
export function RouteErrorPage() {
  const error = useRouteError()
  const facts = toErrorFacts(error)
  useEffect(() => {
    if (isStaleBuild(error) && Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) > RELOAD_AGAIN_AFTER_MS) {
      sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
      location.reload()
      return
    }
    if (!facts.isMissing) reportError(error)
  }, [error, facts.isMissing])
  return facts.isMissing ? (
    <NotFoundPage />
  ) : (
    <ErrorPage detail={facts.detail} reference={facts.reference} onRetry={() => location.reload()} />
  )
}

export function ErrorPage({
  detail,
  reference,
  onRetry,
  children,
}: {
  detail?: string | undefined
  reference?: string | undefined
  onRetry: () => void
  children?: ReactNode
}) {
  const support = getSupportAddress()
  return (
    <Notice icon={<CircleAlert aria-hidden />} title={GENERIC_TITLE}>
      <p>{GENERIC_TEXT}</p>
      {detail && <p className={styles.detail}>{detail}</p>}
      <div className={styles.actions}>
        <Button variant="primary" icon={<RotateCw aria-hidden />} onClick={onRetry}>
          Retry
        </Button>
        {children}
        {support && <a href={`mailto:${support}`}>Contact support</a>}
      </div>
      {reference && <Reference id={reference} />}
    </Notice>
  )
}

export function NotFoundPage() {
  return (
    <Notice icon={<Compass aria-hidden />} title="This page does not exist">
      <p>The address may be mistyped, or what it led to was moved or deleted.</p>
      <div className={styles.actions}>
        <ButtonLink variant="primary" to="/workspaces">
          Go to workspaces
        </ButtonLink>
      </div>
    </Notice>
  )
}

/** For a tab that is open while its account or workspace is deleted or access is removed. */
export function AccessEndedPage({ name }: { name: string }) {
  return (
    <Notice icon={<DoorClosed aria-hidden />} title="Your access has ended">
      <p>{`You no longer have access to ${name}: it was deleted, or your role was taken away. Ask an admin of the account if you think this is a mistake.`}</p>
      <div className={styles.actions}>
        <ButtonLink variant="primary" to="/workspaces">
          Go to workspaces
        </ButtonLink>
      </div>
    </Notice>
  )
}

function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <span className={styles.icon}>{icon}</span>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
