import { Moon, Sun } from 'lucide-react'
import { Outlet, useMatches } from 'react-router'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { TrellisMark } from '../../ui/brand/TrellisMark.tsx'
import { getOtherTheme } from '../theme/theme-mode.ts'
import { useVisitorTheme } from '../theme/use-theme.ts'
import { buildCrumbs } from './page-handle.ts'
import styles from './shell.module.css'

export function Component() {
  const { mode, toggle } = useVisitorTheme()
  const title = buildCrumbs(useMatches()).at(-1)?.label
  return (
    <div className={styles.public}>
      <header className={styles.publicBar}>
        <a href="/" className={styles.publicBrand}>
          <TrellisMark size={22} />
          Trellis
        </a>
        <span className={styles.publicTitle}>{title}</span>
        <IconButton
          label={`Switch to the ${getOtherTheme(mode)} theme`}
          icon={mode === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
          onClick={toggle}
        />
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
