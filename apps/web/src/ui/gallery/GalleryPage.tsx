import type { ComponentType } from 'react'
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

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

/** Every component of the design system, light and dark side by side. */
export function Component() {
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <h1>Design system</h1>
        <p>Every part Trellis is drawn with, alive, in both themes. What is not here is not used.</p>
        <nav className={styles.contents} aria-label="Groups">
          {GROUPS.map(({ title }) => (
            <a key={title} href={`#${anchorOf(title)}`}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      {GROUPS.map(({ title, Samples }) => (
        <section key={title} id={anchorOf(title)} className={styles.group}>
          <h2>{title}</h2>
          <div className={styles.pair}>
            {(['light', 'dark'] as const).map((theme) => (
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
