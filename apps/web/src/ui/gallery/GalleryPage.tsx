import { useSyncExternalStore, type ComponentType } from 'react'
import { ActionSamples } from './ActionSamples.tsx'
import { DataSamples } from './DataSamples.tsx'
import { FeedbackSamples } from './FeedbackSamples.tsx'
import { FormSamples } from './FormSamples.tsx'
import { FoundationSamples } from './FoundationSamples.tsx'
import styles from './gallery.module.css'
import { LayoutSamples } from './LayoutSamples.tsx'
import { OverlaySamples } from './OverlaySamples.tsx'

const GROUPS: readonly { title: string; Samples: ComponentType<{ theme: string }> }[] = [
  { title: 'Colour and type', Samples: FoundationSamples },
  { title: 'Actions', Samples: ActionSamples },
  { title: 'Forms', Samples: FormSamples },
  { title: 'Feedback', Samples: FeedbackSamples },
  { title: 'Overlays', Samples: OverlaySamples },
  { title: 'Layout', Samples: LayoutSamples },
  { title: 'Data', Samples: DataSamples },
]

const toAnchor = (title: string) => title.toLowerCase().replaceAll(' ', '-')

function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** Every component of the design system in the theme of the page, and in the other one where there is room. */
export function Component() {
  const isDark = useSyncExternalStore(watchTheme, () => document.documentElement.dataset['theme'] === 'dark')
  const themes = isDark ? ['dark', 'light'] : ['light', 'dark']
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <h1>Design system</h1>
        <p>Every part Trellis is drawn with, alive, in both themes. What is not here is not used.</p>
        <nav className={styles.contents} aria-label="Groups">
          {GROUPS.map(({ title }) => (
            <a key={title} href={`#${toAnchor(title)}`}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      {GROUPS.map(({ title, Samples }) => (
        <section key={title} id={toAnchor(title)} className={styles.group}>
          <h2>{title}</h2>
          <div className={styles.pair}>
            {themes.map((theme) => (
              <div key={theme} data-theme={theme} className={styles.side}>
                <Samples theme={theme} />
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}
