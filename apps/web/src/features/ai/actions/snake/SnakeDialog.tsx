import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { createSnakeGame, type Direction, moveSnake, SNAKE_COLUMNS, SNAKE_ROWS, turnSnake } from './snake.ts'
import styles from './snake.module.css'

const STEP_MS = 140
const BEST_KEY = 'trellis.snake.best'

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  w: 'up',
  s: 'down',
  a: 'left',
  d: 'right',
}
const PADS = [
  { direction: 'left', icon: <ArrowLeft aria-hidden /> },
  { direction: 'up', icon: <ArrowUp aria-hidden /> },
  { direction: 'down', icon: <ArrowDown aria-hidden /> },
  { direction: 'right', icon: <ArrowRight aria-hidden /> },
] as const

/** Waits for the first turn, so that nobody loses while looking for the keys. */
export default function SnakeDialog({ onClose }: { onClose: () => void }) {
  const [game, setGame] = useState(() => createSnakeGame(Math.random))
  const [isPaused, setPaused] = useState(true)
  const { snake, food, score, isOver } = game
  const isMoving = !isPaused && !isOver
  const best = useBest(score)
  useEffect(() => {
    if (!isMoving) return undefined
    const timer = setInterval(() => setGame((now) => moveSnake(now, Math.random)), STEP_MS)
    return () => clearInterval(timer)
  }, [isMoving])
  const turn = (direction: Direction) => {
    setPaused(false)
    setGame((now) => turnSnake(now, direction))
  }
  const restart = () => {
    setGame(createSnakeGame(Math.random))
    setPaused(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (direction) turn(direction)
    else if (event.key === ' ') setPaused(!isPaused)
    else if (event.key === 'Enter' && isOver) restart()
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Snake" onClose={onClose}>
      <div className={styles.game}>
        <button
          type="button"
          aria-label="Snake field"
          aria-describedby="snake-keys"
          data-autofocus
          className={styles.field}
          onClick={() => setPaused(!isPaused)}
          onKeyDown={onKeyDown}
          // Firefox clicks a button when Space is released.
          onKeyUp={(event) => event.preventDefault()}
        >
          <svg viewBox={`0 0 ${SNAKE_COLUMNS} ${SNAKE_ROWS}`} aria-hidden>
            {food && <circle cx={food.x + 0.5} cy={food.y + 0.5} r={0.36} className={styles.food} />}
            {snake.map(({ x, y }, index) => (
              <rect
                key={`${x} ${y}`}
                x={x + 0.06}
                y={y + 0.06}
                width={0.88}
                height={0.88}
                rx={0.22}
                className={index === 0 ? styles.head : styles.body}
              />
            ))}
          </svg>
        </button>
        <div className={styles.line}>
          <span>
            Score {score} · Best {best}
          </span>
          <span role="status">{isOver ? 'Game over' : isPaused ? 'Paused' : ''}</span>
          {isOver && (
            <Button size="sm" variant="primary" onClick={restart}>
              Play again
            </Button>
          )}
        </div>
        <div className={styles.pads}>
          {PADS.map(({ direction, icon }) => (
            <IconButton key={direction} label={`Turn ${direction}`} icon={icon} onClick={() => turn(direction)} />
          ))}
        </div>
        <p id="snake-keys" className={styles.keys}>
          Arrow keys or W, A, S, D turn the snake. Space pauses, Enter starts again, Escape closes.
        </p>
      </div>
    </Dialog>
  )
}

function useBest(score: number): number {
  const [kept] = useState(() => Number(localStorage.getItem(BEST_KEY)) || 0)
  const best = Math.max(kept, score)
  useEffect(() => {
    if (best > kept) localStorage.setItem(BEST_KEY, String(best))
  }, [best, kept])
  return best
}
