import { Hammer } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ManifestPart } from '../../formas/surroundings.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import { FieldError } from '../../ui/forms/Field.tsx'
import type { BuilderContext } from './builder-context.ts'
import styles from './builder.module.css'
import { findManifestFaults, toManifest } from './manifest-draft.ts'

const Builder = lazy(() => import('./Builder.tsx'))

export default function ManifestField({ value, error, isDisabled, onChange, ...place }: ManifestPart & BuilderContext) {
  const [isOpen, setOpen] = useState(false)
  const manifest = toManifest(value)
  const faults = manifest ? findManifestFaults(manifest) : []
  return (
    <div className={styles.field}>
      <Hammer aria-hidden />
      <div className={styles.fieldText}>
        <strong>{manifest ? manifest.base_url || 'A source without an address' : 'Nothing built yet'}</strong>
        <span>
          {manifest
            ? `${formatCount(manifest.streams.length, 'stream')}: ${manifest.streams.map(({ name }) => name).join(', ')}`
            : 'Describe the API once: its address, how to sign in and what to read. You can test every step.'}
        </span>
        {faults.length > 0 && <FieldError text={`${formatCount(faults.length, 'problem')} to fix in the builder.`} />}
        <FieldError text={error} />
      </div>
      <Button disabled={isDisabled} variant={manifest ? 'secondary' : 'primary'} onClick={() => setOpen(true)}>
        {manifest ? 'Open the builder' : 'Build the source'}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Builder value={manifest} context={place} onChange={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
