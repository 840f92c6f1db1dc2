import type { MailboxMessage } from '@trellis/contract/mailbox/mailbox.schemas'
import { ArrowLeft, ExternalLink } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import styles from './mailbox.module.css'
import { useMailboxMessage } from './mailbox.queries.ts'
import { findCode, findLinks, withoutStyleSheets } from './message-parts.ts'
import { trustedMail } from './trusted-mail.ts'

export function Message({ id, token, backTo }: { id: number; token: string | undefined; backTo: string }) {
  const message = useMailboxMessage({ id, token })
  return (
    <>
      <div className={styles.back}>
        <ButtonLink variant="ghost" size="sm" to={backTo} icon={<ArrowLeft aria-hidden />}>
          All messages
        </ButtonLink>
      </div>
      {message.isPending ? (
        <Loading label="Loading the message" className={styles.ghosts}>
          <Skeleton width="40%" height={18} />
          <Skeleton width="60%" />
          <Skeleton height={280} />
        </Loading>
      ) : message.isError ? (
        <div className={styles.refused}>
          <ErrorPanel
            title="The message could not be loaded"
            detail={message.error.message}
            reference={message.error.requestId}
            onRetry={() => void message.refetch()}
          />
        </div>
      ) : (
        <Opened mail={message.data} />
      )}
    </>
  )
}

function Opened({ mail }: { mail: MailboxMessage }) {
  const code = findCode(mail.text)
  const links = findLinks(mail.text)
  return (
    <article className={styles.message}>
      <header className={styles.messageHead}>
        <h2>{mail.subject}</h2>
        <p>
          To {mail.to} from {mail.from} · <DateTime value={mail.received_at} />
        </p>
      </header>
      {code && (
        <div className={styles.code}>
          <span>The code in this message</span>
          <strong>{code}</strong>
          <CopyButton text={code} label="Copy code" />
        </div>
      )}
      {mail.html === null ? (
        <pre className={styles.plain}>{mail.text}</pre>
      ) : (
        <MailFrame html={mail.html} title={mail.subject} />
      )}
      {links.length > 0 && (
        <ul className={styles.links} aria-label="Links in this message">
          {links.map((link) => (
            <li key={link}>
              <a href={link} target="_blank" rel="noreferrer noopener">
                <ExternalLink aria-hidden />
                {link}
              </a>
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

/** Sandboxed: no scripts, an opaque origin; links open in a new tab. */
function MailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useLayoutEffect(() => {
    if (frame.current) frame.current.srcdoc = trustedMail(`<base target="_blank">${withoutStyleSheets(html)}`)
  }, [html])
  return (
    <iframe ref={frame} title={title} sandbox="allow-popups allow-popups-to-escape-sandbox" className={styles.frame} />
  )
}
