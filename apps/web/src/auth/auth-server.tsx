import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { AuthApp } from './AuthApp.tsx'
import styles from './frame.module.css'
import { FlowPicture } from './picture/FlowPicture.tsx'
import { formatTitle } from './titles.ts'

export { AUTH_PATHS } from './auth-location.ts'

/** The picture is not hydrated and costs no script. */
export function renderAuthPage(path: string): { title: string; body: string } {
  const app = renderToString(<AuthApp path={path} />)
  const picture = renderToStaticMarkup(<FlowPicture />)
  const body = `<div class="${styles.frame}"><div id="auth" class="${styles.auth}">${app}</div>${picture}</div>`
  return { title: formatTitle(path), body }
}
