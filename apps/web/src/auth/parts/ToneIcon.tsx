import type { Notice } from '../../app/session/handover.ts'
import styles from './parts.module.css'

export function ToneIcon({ tone }: { tone: Notice['tone'] }) {
  return (
    <svg
      className={styles[tone]}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6.25" />
      {tone === 'success' && <path d="m5.4 8.2 1.8 1.8 3.4-3.8" strokeLinecap="round" strokeLinejoin="round" />}
      {tone === 'error' && <path d="M8 4.9v3.6m0 2.4v.1" strokeLinecap="round" />}
      {tone === 'info' && <path d="M8 11V7.6m0-2.5V5" strokeLinecap="round" />}
    </svg>
  )
}
