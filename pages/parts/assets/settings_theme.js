// Streamlit keeps the choice in the browser, by the path of the page that was loaded; it lets no program read or set it.
const VERSION = "v2"
const place = (path) => `stActiveTheme-${path}-${VERSION}`

function chosen() {
  try {
    return JSON.parse(localStorage.getItem(place(location.pathname))) ?? "System"
  } catch {
    return "System"
  }
}

function choose(theme, paths) {
  const root = location.pathname.replace(/[^/]*$/, "")
  for (const path of paths) localStorage.setItem(place(root + path), JSON.stringify(theme))
  location.reload()
}

export default function ({ parentElement, data }) {
  const group = parentElement.querySelector("fieldset")
  group.lang = data.lang
  group.querySelector("legend").textContent = data.name
  for (const input of group.querySelectorAll("input")) {
    input.checked = input.value === chosen()
    input.nextElementSibling.textContent = data.themes[input.value]
    input.onchange = () => choose(input.value, data.paths)
  }
}
