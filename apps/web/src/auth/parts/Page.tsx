import type { ReactNode } from 'react'
import { TrellisMark } from '../../ui/brand/TrellisMark.tsx'
import { Toasts } from './Toasts.tsx'
import styles from './parts.module.css'

interface PageProps {
  heading: string
  lead: ReactNode
  children: ReactNode
}

export function Page({ heading, lead, children }: PageProps) {
  return (
    <>
      <main className={styles.column}>
        <p className={styles.brand}>
          <TrellisMark size={24} />
          <span>Trellis</span>
        </p>
        <h1 className={styles.heading}>{heading}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </main>
      <footer className={styles.footer}>© {new Date().getFullYear()} Trellis</footer>
      <Toasts />
    </>
  )
}
