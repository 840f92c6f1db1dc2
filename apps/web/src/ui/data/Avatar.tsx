import type { CSSProperties } from 'react'
import { classNames } from '../class-names.ts'
import { Menu, type MenuItem } from '../overlays/Menu.tsx'
import styles from './data.module.css'
import { toColour, toInitials } from './initials.ts'

export function Face({ name, isSquare = false }: { name: string; isSquare?: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(styles.face, isSquare && styles.square)}
      style={{ '--hue': toColour(name) } as CSSProperties}
    >
      {toInitials(name)}
    </span>
  )
}

/** A person: face, name and, where wanted, e-mail. */
export function Avatar({ name, email }: { name: string; email?: string }) {
  return (
    <span className={styles.person}>
      <Face name={name} />
      <span className={styles.personText}>
        <span>{name}</span>
        {email && <span className={styles.personMail}>{email}</span>}
      </span>
    </span>
  )
}

/** Only the face, opening a menu headed by who it is. */
export function AvatarMenu({
  name,
  email,
  groups,
}: {
  name: string
  email?: string
  groups: readonly (readonly MenuItem[])[]
}) {
  return (
    <Menu
      label="Profile"
      align="end"
      head={<Avatar name={name} {...(email && { email })} />}
      groups={groups}
      trigger={(props) => (
        <button type="button" {...props} className={styles.faceButton}>
          <Face name={name} />
          <span className="visually-hidden">Profile menu of {name}</span>
        </button>
      )}
    />
  )
}
