import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import styles from '../setup.module.css'
import { DifferenceTable } from '../versions/DifferenceTable.tsx'
import { listSettingDifferences } from '../versions/setting-differences.ts'
import type { Parts } from './block-kinds.ts'
import { useDraft } from './use-block-draft.ts'

export function DraftNotices() {
  const { save, error, theirs, settings, isBroughtBack, store } = useDraft()
  if (theirs) {
    const who = theirs.updated_by ?? 'Somebody else'
    const settingDifferences = listSettingDifferences(settings as Parts, theirs.settings as Parts)
    return (
      <Banner tone="warning" title={`${who} changed this block meanwhile`}>
        <p>What you entered is still here. Choose which version holds; the other can be brought back with Undo.</p>
        <DifferenceTable differences={settingDifferences} before="Yours" after="Theirs" />
        <span className={styles.buttons}>
          <Button size="sm" onClick={store.keepMine}>
            Save mine over theirs
          </Button>
          <Button size="sm" onClick={store.takeTheirs}>
            Take theirs
          </Button>
        </span>
      </Banner>
    )
  }
  if (save === 'failed') {
    return (
      <Banner
        tone="danger"
        title="Your changes are not saved"
        action={
          <Button size="sm" onClick={() => void store.flush()}>
            Save again
          </Button>
        }
      >
        {error} They are kept in this tab, also when you reload it.
      </Banner>
    )
  }
  if (isBroughtBack) {
    return (
      <Banner
        tone="info"
        title="Changes that had not been saved were brought back"
        action={
          <Button size="sm" onClick={store.discard}>
            Discard them
          </Button>
        }
      />
    )
  }
  return null
}
