package tilesight

import java.io.ByteArrayOutputStream
import java.io.Closeable

/** Own set of tiles: the text of its file, as `tilesight set learn` writes it. */
class SetFile(val text: String) {
    /** Checks the file, and returns what the set knows. */
    fun content(): SetContent {
        val file = text.toByteArray()
        val json = Json.members(Json.parse(Lib.text(Lib.functions.tilesight_set(file, file.size.toLong(), Lang.EN.code))))
        val faces = Json.listOf(json["faces"]) { one ->
            Json.members(one).let { LearnedFace(Json.text(it["face"]), Json.int(it["tiles"])) }
        }
        return SetContent(Json.text(json["name"]), Json.text(json["id"]), faces, Json.listOf(json["missing"]) { Json.text(it) })
    }
}

/** Face that a set knows, and the number of tiles that it was learned from. */
data class LearnedFace(val face: String, val tiles: Int)

/** Knowledge of an own set: its name, its id, its faces and those that are missing. */
data class SetContent(val name: String, val id: String, val faces: List<LearnedFace>, val missing: List<String>)

/** Tile of a sheet: the name that is proposed, whether that is sure, and the corners of the tile. */
data class SheetTile(val name: String?, val sure: Boolean, val seen: String, val polygon: List<List<Double>>)

/** Options of a reading. */
class ReadOptions @JvmOverloads constructor(
    val context: WinContext = WinContext(),
    val rulesets: List<String>? = null,
    /** Name of the own set to read with, `auto` or `none`. */
    val set: String? = null,
    /** Point in the hand that is meant, in pixels of the upright photo. */
    val focus: Focus? = null
) {
    internal fun scoring() = Json.withoutNulls("context" to context.toJson(), "rulesets" to rulesets)

    internal fun toJson() = scoring() + Json.withoutNulls(
        "set" to set, "focus" to focus?.toJson(), "detail" to "compact"
    )
}

/** Content of a photo: the hand, its score, and the questions that are open. */
class Reading internal constructor(private val engine: Engine, private val scoring: Map<String, Any?>, private val json: Map<String, Any?>) {
    /** The reading, with everything that the program knows. */
    val answer: CompactAnswer = CompactAnswer.from(json)

    /** Hand and win context in one line. */
    val notation: String? get() = answer.hand.notation

    /** Total of the score; null if the hand can't be scored. */
    val total: Int? get() = answer.score?.total

    /** Questions whose answers may change the score, the most important first. */
    val doubts: List<CompactDoubt> get() = answer.doubts

    /** Returns the reading after answers to its doubts, by their ids. */
    @JvmOverloads
    fun answer(answers: Map<String, String>, lang: Lang = Lang.EN): CompactAnswered {
        val given = answers.map { mapOf("doubt" to it.key, "answer" to it.value) }
        val body = bytes(scoring + mapOf("reading" to json, "answers" to given, "detail" to "compact"))
        val text = Lib.text(Lib.functions.tilesight_answers(engine.handle, body, body.size.toLong(), lang.code))
        return CompactAnswered.from(Json.parse(text))
    }
}

/**
 * Reader of photos. Threads may share it. After [close] every call throws a [Problem].
 *
 * [models] is the folder of the networks and [library] ONNX Runtime's library; a library other than
 * the pinned one needs its SHA-256. [sets] are own sets to read with.
 */
class Reader @JvmOverloads constructor(
    models: String, library: String, librarySha256: String? = null, sets: List<SetFile> = emptyList()
) : Closeable {
    private val handle: Long = bytes(
        Json.withoutNulls("models" to models, "library" to library, "library_sha256" to librarySha256, "sets" to sets.map { it.text })
    ).let { Lib.kept(Lib.functions.tilesight_reader(it, it.size.toLong())) }

    /** Reads a photo: the bytes of a JPEG, PNG, WebP, HEIC or AVIF. */
    @JvmOverloads
    fun read(engine: Engine, photo: ByteArray, options: ReadOptions = ReadOptions(), lang: Lang = Lang.EN): Reading =
        read(engine, options.toJson(), photo, options, lang)

    /** Reads several photos of one hand. */
    @JvmOverloads
    fun readTogether(engine: Engine, photos: List<ByteArray>, options: ReadOptions = ReadOptions(), lang: Lang = Lang.EN): Reading =
        read(engine, options.toJson() + ("photos" to photos.map { it.size }), join(photos), options, lang)

    /** Answers a request of photos from JSON to JSON, in full or with `"detail": "compact"`. */
    @JvmOverloads
    fun readJson(engine: Engine, options: String, photo: ByteArray, lang: Lang = Lang.EN): String {
        val head = options.toByteArray()
        return Lib.text(
            Lib.functions.tilesight_read(engine.handle, handle, head, head.size.toLong(), photo, photo.size.toLong(), lang.code)
        )
    }

    /** Finds the rows of a sheet, a photo of all tiles of a set, and proposes names. */
    fun sheet(photo: ByteArray): List<List<SheetTile>> {
        val text = Lib.text(Lib.functions.tilesight_sheet(handle, bytes(emptyMap<String, Any>()), 2, photo, photo.size.toLong(), Lang.EN.code))
        return Json.listOf(Json.parse(text)) { row -> Json.listOf(row) { sheetTile(Json.members(it)) } }
    }

    /** Learns an own set from a sheet. `names` has a line for each row; they are proposed without it. */
    @JvmOverloads
    fun learn(photo: ByteArray, name: String, names: String? = null): SetFile {
        val options = bytes(Json.withoutNulls("name" to name, "names" to names))
        return SetFile(
            Lib.text(Lib.functions.tilesight_learn(handle, options, options.size.toLong(), photo, photo.size.toLong(), Lang.EN.code))
        )
    }

    /** Merges own sets that were learned of the same tiles. */
    @JvmOverloads
    fun merge(sets: List<SetFile>, name: String? = null): SetFile {
        val files = sets.map { it.text.toByteArray() }
        val options = bytes(Json.withoutNulls("files" to files.map { it.size }, "name" to name))
        val body = join(files)
        return SetFile(
            Lib.text(Lib.functions.tilesight_merge(handle, options, options.size.toLong(), body, body.size.toLong(), Lang.EN.code))
        )
    }

    override fun close() {
        Lib.functions.tilesight_release(handle)
    }

    private fun read(engine: Engine, json: Map<String, Any?>, photo: ByteArray, options: ReadOptions, lang: Lang): Reading {
        val text = readJson(engine, Json.write(json), photo, lang)
        return Reading(engine, options.scoring(), Json.members(Json.parse(text)))
    }

    private fun sheetTile(json: Map<String, Any?>) = SheetTile(
        json["name"]?.let { Json.text(it) }, Json.flag(json["sure"]), Json.text(json["seen"]),
        Json.listOf(json["polygon"]) { corner -> Json.listOf(corner) { Json.number(it) } }
    )

    private fun join(parts: List<ByteArray>): ByteArray = ByteArrayOutputStream().also { out -> parts.forEach { out.write(it) } }.toByteArray()
}
