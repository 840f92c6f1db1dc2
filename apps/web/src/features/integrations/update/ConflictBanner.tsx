import type { FormaValues } from '@trellis/contract/formas/forma'
import type { IntegrationDetails } from '@trellis/contract/integrations/integrations.schemas'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import styles from '../integrations.module.css'
import type { Naming } from '../../../connecting/NameFields.tsx'
import { findDifferences } from './differences.ts'

/** Edit conflict: shows both versions to choose from. */
export function ConflictBanner({
  mine,
  theirs,
  isBusy,
  onKeepMine,
  onTakeTheirs,
}: {
  mine: { naming: Naming; values: FormaValues }
  theirs: IntegrationDetails
  isBusy: boolean
  onKeepMine: () => void
  onTakeTheirs: () => void
}) {
  const conflicts = [
    ...(mine.naming.name === theirs.name ? [] : [{ label: 'Name', mine: mine.naming.name, theirs: theirs.name }]),
    ...findDifferences(theirs.forma, mine.values, theirs.values),
  ]
  return (
    <Banner tone="warning" title="Somebody else changed this connection meanwhile">
      <p>What you entered is still here. Choose which version holds.</p>
      {conflicts.length > 0 && (
        <table className={styles.conflict}>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map((item) => (
              <tr key={item.label}>
                <th scope="row">{item.label}</th>
                <td>{item.mine}</td>
                <td>{item.theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <span className={styles.buttons}>
        <Button size="sm" isBusy={isBusy} onClick={onKeepMine}>
          Save mine over theirs
        </Button>
        <Button size="sm" disabled={isBusy} onClick={onTakeTheirs}>
          Take theirs
        </Button>
      </span>
    </Banner>
  )
}
