// The cell of the demo's feed as boxes of CSS, whose height the browser finds. It is equal to that of the tables.

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

/** Returns the HTML of what is in the element of a row. */
export const cellHTML = row => {
  if (row.heading) return `<div class="text name heading">${escape(row.heading)}</div>`
  const place = row.location ? `<div class="text line small">${escape(row.location)}</div>` : ''
  const caption = row.caption ? `<div class="text body">${escape(row.caption)}</div>` : ''
  const comments = (row.comments ?? []).slice(0, 3).map(({ user, text }) =>
    `<div class="text name runs"><span class="name">${escape(user)} </span><span class="body">${escape(text)}</span></div>`)
  const [width, height] = row.photo.size
  const names = `<div class="text line name">${escape(row.userName)}</div>${place}`
  return `<header><i class="avatar"></i><div class="names">${names}</div>`
    + `<div class="text time small">${escape(row.time)}</div></header>`
    + `<i class="photo" style="aspect-ratio:${width}/${height}"></i><footer>${caption}${comments.join('')}</footer>`
}
