import { Checkbox } from '../../../../ui/forms/Choices.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { usePackages } from '../setup.queries.ts'

export function Packages({ selected, onChange }: { selected: readonly string[]; onChange: (names: string[]) => void }) {
  const { isDisabled } = useDraft()
  const packages = usePackages(true)
  if (packages.error) {
    return <p className={styles.soft}>The packages could not be listed: {packages.error.message}</p>
  }
  if (!packages.data || packages.data.length === 0) return null
  return (
    <fieldset className={styles.packages} data-path="packages">
      <legend>Packages</legend>
      {packages.data.map(({ name, version, summary }) => (
        <Checkbox
          key={name}
          label={
            <>
              <code>{name}</code> <span className={styles.soft}>{version}</span>
            </>
          }
          hint={summary}
          checked={selected.includes(name)}
          disabled={isDisabled}
          onChange={(event) =>
            onChange(event.target.checked ? [...selected, name] : selected.filter((item) => item !== name))
          }
        />
      ))}
    </fieldset>
  )
}
