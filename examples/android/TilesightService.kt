// Asks a Tilesight service to read a photo, from an Android app: no dependencies, Android 5 or newer.
//
//   val service = TilesightService("https://scores.example.org", key)
//   val hand = withContext(Dispatchers.IO) { service.read(jpeg, seat = "S", win = "discard") }
//   show(hand.total, hand.verdict, hand.lines, hand.question)
//
// The app needs the permission INTERNET, and for a service without TLS on the local network a network
// security configuration. `key` is one of the service's keys (docs/http.md); null where it needs none.
package org.example.tilesight

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import org.json.JSONArray
import org.json.JSONObject

/** What an app shows of a photo: the compact answer of `POST /v1/hands` (docs/contract.md). */
data class ReadHand(
    val notation: String,
    /** Null if the tiles are no winning hand; then [problem] says why. */
    val total: Int?,
    val verdict: String?,
    val lines: List<String>,
    /** The most important question whose answer changes the score, and its answers. */
    val question: String?,
    val answers: List<String>,
    val problem: String?,
)

/** A problem of the request, as the service names it: `type` is stable, `detail` is for people. */
class TilesightProblem(val status: Int, val type: String, detail: String) : IOException(detail)

class TilesightService(private val address: String, private val key: String? = null) {
    /** Reads a JPEG, PNG, WebP, HEIC or AVIF. Blocks: call it outside the main thread. */
    fun read(
        photo: ByteArray,
        seat: String? = null,
        prevalent: String? = null,
        win: String? = null,
        ruleset: String? = null,
        language: String = "en",
    ): ReadHand {
        val given = mapOf("seat" to seat, "prevalent" to prevalent, "win" to win, "ruleset" to ruleset)
        val query = (given.filterValues { it != null } + ("detail" to "compact"))
            .map { (name, value) -> "$name=${URLEncoder.encode(value, "UTF-8")}" }.joinToString("&")
        val connection = URL("$address/v1/hands?$query").openConnection() as HttpURLConnection
        try {
            connection.requestMethod = "POST"
            connection.doOutput = true
            connection.connectTimeout = 10_000
            connection.readTimeout = 60_000
            connection.setFixedLengthStreamingMode(photo.size)
            // The service recognises the format by the bytes.
            connection.setRequestProperty("Content-Type", "application/octet-stream")
            connection.setRequestProperty("Accept-Language", language)
            key?.let { connection.setRequestProperty("Authorization", "Bearer $it") }
            connection.outputStream.use { it.write(photo) }
            if (connection.responseCode != 200) throw problem(connection)
            return parse(JSONObject(connection.inputStream.use { it.readBytes().decodeToString() }))
        } finally {
            connection.disconnect()
        }
    }

    private fun problem(connection: HttpURLConnection): TilesightProblem {
        val text = connection.errorStream?.use { it.readBytes().decodeToString() }.orEmpty()
        val json = runCatching { JSONObject(text) }.getOrDefault(JSONObject())
        val detail = json.optString("detail", "the service answered with ${connection.responseCode}")
        return TilesightProblem(connection.responseCode, json.optString("type"), detail)
    }

    private fun parse(answer: JSONObject): ReadHand {
        val score = answer.optJSONObject("score")
        val doubt = answer.objects("doubts").firstOrNull { it.getBoolean("affects_score") }
        return ReadHand(
            notation = answer.getJSONObject("hand").optString("notation"),
            total = score?.getInt("total"),
            verdict = score?.getString("verdict"),
            lines = score?.objects("awards").orEmpty().map { it.getString("name") },
            question = doubt?.getString("question"),
            answers = doubt?.objects("answers").orEmpty().map { it.getString("answer") },
            problem = answer.optJSONObject("no_score")?.optString("detail"),
        )
    }

    private fun JSONObject.objects(name: String): List<JSONObject> {
        val list = optJSONArray(name) ?: JSONArray()
        return (0 until list.length()).map { list.getJSONObject(it) }
    }
}
